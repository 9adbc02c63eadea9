"""Labelled pairs of statements, the newer first: the newer one replaces the older one, or both can stand.

All pairs were written before the rules, but for two that compare tools of two languages and three with a number that
tells which one is meant. `*_TUNED` were looked at while the rules were written. `*_KEPT_BACK` were counted once, after
the rules were frozen: 20 of 20 were found, with 1 false alarm in 20 ("We replaced Redux with Zustand in the admin
area"). That alarm was then mended.
"""

REPLACING_TUNED: list[tuple[str, str]] = [
    ("Use 10 retries instead of 5.", "We use 5 retries."),
    ("The upload limit is 50 MB instead of 10 MB.", "The upload limit is 10 MB."),
    ("We moved to pnpm.", "Use npm to install dependencies."),
    ("We moved from Jenkins to GitLab for CI.", "We use Jenkins for CI."),
    ("We no longer use Celery for background jobs.", "We use Celery for background jobs."),
    ("The 0.80 AUC was leakage.", "The churn model reaches an AUC of 0.80 on the test set."),
    ("the 0.80 was leakage", "The churn model reaches an AUC of 0.80 on the test set."),
    ("The accuracy of 93.4% was wrong, the labels were shuffled.", "The classifier has an accuracy of 93.4%."),
    ("The default port is now 9090.", "The default port is 8080."),
    ("The request timeout is 60 seconds.", "The request timeout is 30 seconds."),
    ("We switched from Jest to Vitest.", "We use Jest for unit tests."),
    ("We replaced Redux with Zustand.", "We use Redux for state management."),
    ("We stopped using Docker Compose for local development.", "We use Docker Compose for local development."),
    ("Deploys go out on Tuesdays now, not on Fridays.", "Deploys go out on Fridays."),
    ("The staging URL changed to https://stage.example.org", "The staging URL is https://staging.example.com"),
    ("The coverage threshold was raised from 80% to 90%.", "The coverage threshold is 80%."),
    ("Python 3.12 is required now.", "Python 3.11 is required."),
    ("The v1 endpoints are no longer supported.", "The v1 endpoints are supported."),
    ("We dropped Redis.", "We use Redis."),
    ("The main database is PostgreSQL now.", "The main database is MySQL."),
]

COEXISTING_TUNED: list[tuple[str, str]] = [
    # the same words, another subject
    ("The admin port is 9090.", "The API port is 8080."),
    ("We moved the docs to pnpm.", "Use npm to install dependencies of the mobile app."),
    ("Use 10 retries for uploads instead of 5.", "Use 5 retries for downloads."),
    ("We no longer use Celery for e-mails.", "We use Celery for background jobs."),
    ("The 0.80 was leakage.", "The threshold of the alarm is 0.85."),
    ("The 12 was a typo.", "Node 12 is supported by the legacy build."),
    ("The timeout of the worker is 60 seconds.", "The timeout of the proxy is 30 seconds."),
    ("We switched the mobile app from Jest to Vitest.", "We use Jest for the backend."),
    ("We dropped Redis for sessions.", "We use Redis for rate limits."),
    ("On staging the limit is 50 MB.", "In production the limit is 10 MB."),
    # values that coexist
    ("The API supports XML.", "The API supports JSON."),
    ("Python 3.12 is supported.", "Python 3.11 is supported."),
    ("We use PostgreSQL for orders.", "We use MySQL for the archive."),
    ("Anna reviews the backend.", "Boris reviews the frontend."),
    ("The build took 5 minutes today.", "The build took 8 minutes."),
    ("We moved to pnpm.", "Use pip to install dependencies."),
    ("Tests run with Jest.", "Tests run with pytest."),
    # a number that tells which one is meant
    ("Walrus fact 2: tusk length is 2 metres", "Walrus fact 1: tusk length is 1 metres"),
    ("Module 4 uses the old parser.", "Module 3 uses the old parser."),
    ("Worker 2 is slow.", "Worker 1 is slow."),
    # a plain contradiction, a question, a plan, a story of what was
    ("Never squash commits.", "Always squash commits."),
    ("Should we use 10 retries instead of 5?", "We use 5 retries."),
    ("We might move to pnpm.", "Use npm to install dependencies."),
    ("We considered GitLab instead of Jenkins.", "We use Jenkins for CI."),
    # only a part of the older text is replaced
    ("We moved to pnpm.", "Use npm to install dependencies. Deploy on Fridays only, after the standup."),
]

REPLACING_KEPT_BACK: list[tuple[str, str]] = [
    ("Keep 30 backups instead of 14.", "We keep 14 backups."),
    ("The page size is 100 rather than 25.", "The page size is 25."),
    ("We moved to uv.", "We use Poetry for dependencies."),
    ("The team moved from Slack to Zulip for alerts.", "We use Slack for alerts."),
    ("We no longer support Internet Explorer.", "We support Internet Explorer."),
    ("The 412 ms result was measured with the cache on, it is wrong.", "The p95 latency of search is 412 ms."),
    ("That 0.91 F1 was an artefact of duplicate rows.", "The spam filter has an F1 of 0.91."),
    ("The session lifetime is now 8 hours.", "The session lifetime is 24 hours."),
    ("The maximum batch size is 512.", "The maximum batch size is 256."),
    ("We migrated from Heroku to Fly.io.", "We host the app on Heroku."),
    ("Webpack was replaced by Vite.", "We use Webpack as the bundler."),
    ("We got rid of Lerna.", "We use Lerna."),
    ("The release branch is called `stable` now.", "The release branch is called `main`."),
    ("Line length went from 100 to 120.", "The line length is 100."),
    ("Node 22 is required.", "Node 20 is required."),
    ("The nightly job no longer runs on weekends.", "The nightly job runs on weekends."),
    ("We use bcrypt instead of md5 for passwords.", "We use md5 for passwords."),
    ("The team lead is Carla now.", "The team lead is Boris."),
    ("Tests are written with pytest instead of unittest.", "Tests are written with unittest."),
    ("The free tier allows 5 projects now.", "The free tier allows 3 projects."),
]

COEXISTING_KEPT_BACK: list[tuple[str, str]] = [
    ("The metrics port is 9100.", "The health port is 8081."),
    ("Keep 30 backups of the database instead of 14.", "We keep 14 log files."),
    ("We moved the website to Netlify.", "We host the API on Heroku."),
    ("We no longer use Sentry in the CLI.", "We use Sentry in the web app."),
    ("The 250 was a typo in the invoice.", "The batch size of the importer is 250."),
    ("The retry delay of the mailer is 5 seconds.", "The retry delay of the crawler is 2 seconds."),
    ("We replaced Redux with Zustand in the admin area.", "We use Redux in the shop."),
    ("In tests the pool size is 2.", "The pool size is 20."),
    ("We stopped using feature flags for the search.", "We use feature flags for the checkout."),
    ("The EU region has 3 replicas.", "The US region has 5 replicas."),
    ("Exports are available as CSV.", "Exports are available as PDF."),
    ("Node 22 works.", "Node 20 works."),
    ("Carla owns billing.", "Boris owns search."),
    ("The migration took 40 minutes on staging.", "The migration took 25 minutes."),
    ("Use British spelling in the docs.", "Use American spelling in the UI."),
    ("Don't mock the database.", "Mock the database in unit tests."),
    ("What if we used bcrypt instead of md5?", "We use md5 for passwords."),
    ("We plan to move from Heroku to Fly.io.", "We host the app on Heroku."),
    ("Somebody proposed Vite instead of Webpack.", "We use Webpack as the bundler."),
    ("We no longer use Lerna.", "We use Lerna. Packages are released on Mondays by the bot."),
]

# Written after the rules above were in use, against what they hid wrongly; the rules were mended for these pairs.
COEXISTING_MENDED: list[tuple[str, str]] = [
    # the older text only mentions the name
    ("We moved from npm to pnpm.", "npm audit runs every night in CI"),
    ("We moved from npm to pnpm.", "The docs site is built with npm run docs"),
    ("We moved to pnpm.", "npm audit runs every night in CI"),
    # somebody else moved
    ("Acme Corp switched from MySQL to Postgres", "We use MySQL"),
    # the move was not made
    ("We rejected pnpm instead of yarn", "We use yarn"),
    ("We considered pnpm instead of npm", "We use npm"),
    ("I mistakenly used spaces instead of tabs", "We use tabs"),
    ("We will move from webpack to vite next year", "We use webpack"),
    ("We will move to vite next year", "We use webpack"),
    # the number is the same, and nothing else
    ("The 0.80 was leakage", "The learning rate is 0.80"),
    ("The 99.9% was wrong", "Our SLA promises 99.9%"),
    ("The 1.5 was a mistake", "Release 1.5 was shipped on Monday"),
    ("The 3.5 was wrong", "We ship on Node 3.5"),
    ("We moved to port 9000 for the oven service, no longer 7000", "The grill service listens on port 7000"),
    ("We use pnpm, no longer npm", "We use npm for the mobile app and yarn for the server"),
    ("We use Redis, no longer maintained upstream", "We use Redis for the queue"),
]

REPLACING_MENDED: list[tuple[str, str]] = [
    ("We moved from npm to pnpm", "We use npm"),
    ("The retry limit is 10 instead of 5", "The retry limit is 5"),
    ("The 0.80 accuracy was leakage", "The validation accuracy is 0.80"),
    ("The project switched from MySQL to Postgres", "We use MySQL"),
    ("Acme Corp switched from MySQL to Postgres", "Acme Corp uses MySQL"),
    ("We moved to port 9000 for the oven service, no longer 7000", "The oven service listens on port 7000"),
    ("The oven service listens on port 9000, no longer 7000", "The oven service listens on port 7000"),
    ("We use pnpm, no longer npm", "We use npm"),
]

# Statements in free words, of which the rules had missed or misread many. The rules were mended for these.
REPLACING_FREE_WORDS: list[tuple[str, str]] = [
    ("we threw out flake8, the linter is ruff now", "The linter is flake8"),
    ("the nightly export starts at 03:00", "The nightly export starts at 01:30"),
    ("support tickets are handled by Ines", "Support tickets are handled by Kwame"),
    ("the lab's gpu box is called kraken", "The lab's GPU box is called hydra"),
    ("Tobias approves expense reports now", "Anneke approves expense reports"),
    ("we're off confluence, the wiki is outline", "Our wiki is Confluence"),
    ("the desktop app ships with tauri, we got rid of electron", "We ship the desktop app with Electron"),
    ("Priya reviews the database migrations", "Lucía reviews the database migrations"),
    ("Der Build-Server steht jetzt in Wien", "Der Build-Server steht in Frankfurt"),
    ("on a remplacé MySQL par PostgreSQL", "La base de données est MySQL"),
    ("design reviews are on wednesdays", "Design reviews are on Mondays"),
    ("we switched our cdn to bunny", "Our CDN is Fastly"),
    ("Olu triages incoming bugs", "Marta triages incoming bugs"),
    ("the wiki moved to outline last month", "The wiki is in Notion"),
    ("the brand colour is #0044cc, marketing redid the style guide", "The brand colour is #ff6600"),
    ("我们从 Jenkins 换成了 GitHub Actions", "我们用 Jenkins 做 CI"),
    ("the compiler is clang 17", "The compiler is gcc 11"),
    ("the retention period is one year", "The retention period is 90 days"),
    ("our team chat moved to mattermost", "Our team chat is Slack"),
    ("commit messages are in english now", "We write commit messages in German"),
    ("the invoice template was rewritten in typst", "The invoice template is in LaTeX"),
    ("scoreboard refreshes every 10 seconds since tuesday", "The scoreboard refreshes every minute"),
    ("since monday the checkout page belongs to Noor", "Elif owns the checkout page"),
    ("die Doku liegt nicht mehr in Confluence, sondern in Notion", "Die Doku liegt in Confluence"),
    ("die Logs werden 90 Tage aufbewahrt", "Die Logs werden 30 Tage aufbewahrt"),
    ("o banco de dados agora é Postgres", "O banco de dados é MySQL"),
    ("the sensor waits 30 seconds, the battery didnt last", "The sensor waits 5 seconds"),
    ("we moved the bootloader from the H7 to the RP2040", "The bootloader targets the STM32H7"),
    ("we dont use honeybadger anymore, errors go to bugsink", "Error tracking goes to Honeybadger"),
    ("the primary branch is called next now", "The primary branch is main"),
]

COEXISTING_FREE_WORDS: list[tuple[str, str]] = [
    ("the wiki moved to the top of the sidebar", "The wiki is in Notion"),
    ("audit logs go to Loki, we no longer use Splunk for those", "Logs go to Splunk"),
    ("we moved the database to Dublin", "The database is MySQL"),
    ("we switched the database to postgres", "The database is in Frankfurt"),
    ("the site is built with GitHub Actions", "The site is built with Hugo"),
    ("the port is 9090, but only for the metrics", "The port is 8080"),
    ("their wiki is outline", "Our wiki is Confluence"),
    ("Our wiki is a mess", "Our wiki is Notion"),
    ("Fridays are for planning", "Mondays are for planning"),
    ("Docs are in Notion", "Documentation is written in reStructuredText"),
    ("The staging URL changed to https://stage.example.org", "Staging runs on Hetzner"),
    ("API docs were moved to the docs repo", "The API is REST"),
    ("Migrations moved to migrations/", "Sam reviews all migrations"),
    ("Standup has moved to 9am", "Standup is in the blue room"),
    ("Alerts go to #ops", "Alerts are sent to PagerDuty"),
    ("the staging database is postgres 16", "The staging db is read-only"),
    ("Jonas approves the releases, Freya is on holiday", "Freya approves the releases"),
    ("Olu triages incoming bugs while Marta is away", "Marta triages incoming bugs"),
    ("Olu triages incoming bugs this week", "Marta triages incoming bugs"),
    ("Pieter reviewed the migrations yesterday", "Nadia reviews the migrations"),
    ("the cache is Memcached, according to the old README", "The cache is Redis"),
    ("the cache is Memcached, I think", "The cache is Redis"),
    ("the cache was Memcached, we replaced it", "The cache is Redis"),
    ("the cache is Memcached, when the flag is set", "The cache is Redis"),
    ("Acme dropped Redis, their cache is Memcached", "The cache is Redis"),
    ("Some days, the standup is at 10", "Standup is at 9:30"),
    ("Two weeks before launch, the release is on Monday", "The release is on Thursday"),
    ("we moved the importer to kubernetes", "The importer is written in Go"),
    ("the server is called otter now", "The server is Nginx"),
    ("the design files have moved over to the new drive", "The design files are in Sketch"),
    ("we left Jira for the docs, tickets are fine there", "We use Jira for tickets"),
    ("prices are shown in bold", "Prices are shown in EUR"),
    ("die Backups werden 90 Tage aufbewahrt", "Die Logs werden 30 Tage aufbewahrt"),
]
