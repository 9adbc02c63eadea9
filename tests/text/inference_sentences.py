"""Labelled memories as people and agents store them.

A line is `kind impact region type | text`. `TUNED` was looked at while the rules were written. `CHECKED` was
written after the rules were frozen and then used to mend them: at first sight kind was right in 85 %, impact in 99 %,
region in 96 % and type in 90 % of its 80 lines. `UNSEEN` was written last and never used to change a rule, so it tells
what to expect of real text.
"""

from typing import NamedTuple

KINDS = {"emot": "EMOTIONAL", "arch": "ARCHITECTURAL", "learn": "LEARNINGS", "achv": "ACHIEVEMENTS"}


class Labelled(NamedTuple):
    kind: str
    impact: str
    region: str
    type: str
    text: str


def _read(table: str) -> list[Labelled]:
    rows = []
    for line in table.strip().splitlines():
        labels, _, text = line.partition(" | ")
        kind, impact, region, happened = labels.split()
        rows.append(Labelled(KINDS[kind], impact.upper(), region.upper(), happened, text))
    return rows


TUNED = _read("""
emot medium agent decision | Matt prefers short answers.
emot medium agent decision | I like it when you explain the trade-offs first.
emot medium agent decision | The user doesn't like emojis in commit messages.
emot medium agent decision | She prefers a friendly tone with a bit of humour.
emot medium agent decision | I hate long preambles, get to the point.
emot medium agent decision | Anna enjoys pair programming in the morning.
emot medium agent decision | Use a casual tone when you talk to me.
emot medium agent decision | The user wants replies in German.
emot medium agent decision | Keep your explanations concise and skip the pleasantries.
emot critical agent decision | Never apologise in answers, I find it annoying.
emot critical agent decision | I always prefer a plan before any code is written.
emot medium agent decision | Call me Jo, not Johanna.
emot medium agent decision | Matt dislikes being asked for confirmation on every step.
emot medium agent decision | I'd rather see a diff than a description.
emot medium agent decision | Jo appreciates honest feedback about bad ideas.
emot medium project decision | In this project Matt prefers verbose logging over silence.
emot low agent decision | Maybe use fewer bullet points, Sam finds them noisy.
emot high agent decision | Important: the user is colour-blind, do not rely on red and green.
emot medium agent discovery | The user was frustrated yesterday by the repeated questions.
emot medium agent decision | My style is British English with the Oxford comma.
emot medium agent decision | He loves terminal tools and avoids GUIs.
emot medium agent decision | Speak plainly, no marketing language.
arch medium project decision | We decided to use PostgreSQL instead of SQLite because of concurrent writers.
arch medium project decision | Decision: all timestamps are stored in UTC.
arch medium project decision | We chose FastAPI over Flask for the async support.
arch medium project discovery | The API layer talks to the store through the Store protocol.
arch medium project discovery | The worker service reads jobs from the `jobs` table and writes results to S3.
arch medium project discovery | Authentication lives in src/auth and is built on JWT.
arch medium project discovery | The repository has three layers: routers, services and repositories.
arch critical project decision | Always run migrations in this repo before starting the server.
arch critical project decision | Never commit directly to main.
arch critical project decision | All public functions must have type annotations.
arch critical project decision | Tests must not touch the network.
arch medium project decision | Use ruff for linting and formatting.
arch medium project decision | We use pnpm, not npm.
arch medium project decision | Branch names follow the pattern feature/<ticket>-<slug>.
arch medium project decision | Convention: handlers are named on_<event>.
arch medium project discovery | The default port of the dev server is 5173.
arch medium project discovery | Config is loaded from settings.toml, then from the environment.
arch high project decision | Key decision: the journal is the source of truth, the index is derived.
arch critical project decision | It is important that handlers return events and never hold the bus.
arch medium project decision | We follow the repository pattern for data access.
arch medium project decision | Prefer composition over inheritance in the domain model.
arch medium project decision | Don't use global state in request handlers.
arch critical agent decision | In all projects, never push without running the tests.
arch critical agent decision | As a rule, always write the test first.
arch medium agent decision | Use conventional commits everywhere.
arch medium agent decision | For every project, keep the changelog up to date.
arch medium project discovery | The primary key of the users table is a UUID.
arch medium project discovery | The API key is read from the KEYRING variable.
arch medium project discovery | Each tenant has its own database schema.
arch critical project decision | It is critical that the payment webhook stays idempotent.
arch critical project decision | Backward compatibility of the v1 endpoints is essential.
arch medium project decision | We agreed to keep the core synchronous.
arch medium project decision | The team's policy is two approvals for every pull request.
arch medium project discovery | The frontend is a React app bundled with Vite.
arch medium project discovery | Deploys go through GitHub Actions to Fly.io.
arch medium project decision | Let's go with Redis for the session cache.
arch medium project decision | Errors are values: return Admitted, Duplicate or Rejected.
arch medium project change | We switched from Jest to Vitest because of ESM.
arch medium project decision | Naming: modules are nouns, functions are verbs.
arch low project decision | Nice to have: a dark theme for the dashboard.
arch critical project decision | A major constraint is that the hook must return within 200 ms.
arch medium project discovery | The CLI entry point is limpet.cli:main.
arch critical project decision | You must run `make check` before every commit.
arch medium project discovery | The scheduler depends on the clock module only.
learn medium project discovery | Turns out the flaky test depends on the time zone.
learn medium project discovery | SQLite locks the whole file when a writer is stopped.
learn medium project discovery | Gotcha: pytest collects classes named Test* even in helpers.
learn medium project discovery | The build fails when NODE_ENV is not set.
learn medium project discovery | Beware: json.dumps turns tuples into lists.
learn medium project discovery | We learned that the S3 client retries three times by default.
learn medium project discovery | Found out that the CI cache is keyed by branch.
learn medium project discovery | The monkey patch in conftest breaks parallel runs.
learn medium project discovery | Capital letters in header names are lost behind the proxy.
learn medium project discovery | It is unlikely that the retry helps on a 400.
learn medium project discovery | The mustache templates are compiled at start-up.
learn medium project discovery | The abandoned cart job runs twice when the lock expires.
learn medium project discovery | The root cause must have been the expired certificate.
learn medium project discovery | The deploy hangs if the health check returns 204.
learn low project discovery | Minor: the help text has a typo.
learn low project discovery | The cache might be stale after a deploy.
learn low project discovery | Possibly the linker flag is not needed on macOS.
learn low project discovery | This is a trivial issue in the docs.
learn low project discovery | The warning about the locale is not critical.
learn high project discovery | Important: the staging database is wiped every night.
learn high project discovery | The key insight is that the order of middleware matters.
learn high project discovery | There is a significant slowdown above 10,000 rows.
learn medium project bugfix | The login loop was caused by a missing SameSite attribute; fixed by setting it to Lax.
learn medium project bugfix | Root cause of the crash: a race in the cache. The fix is to take the lock first.
learn medium project bugfix | Workaround for the segfault: pin numpy below 2.0.
learn medium project discovery | Press any key to continue does not work in the web terminal.
learn medium project discovery | Never mind the deprecation warning from setuptools.
learn medium project discovery | The iterator never returns None.
learn medium project discovery | requests always follows redirects unless told otherwise.
learn medium project discovery | Lesson: measure before optimising.
learn medium project discovery | On Windows the path separator breaks the glob.
learn medium project discovery | grep -r "fix" src returns 40 lines.
learn medium project discovery | The error "cannot allocate memory" means the container limit is too low.
learn medium project discovery | docker compose ignores the env file when a profile is given.
learn medium project discovery | The old importer does not support UTF-16.
learn medium project discovery | We noticed that the first request after a deploy takes 4 s.
learn medium project discovery | Surprisingly, the ORM issues one query per row here.
learn medium project discovery | Rate limits apply per key, not per user.
learn low project discovery | Perhaps we must raise the limit later.
learn medium project discovery | It is unclear whether it must run as root.
learn critical project discovery | Crucial: without the lock file two writers corrupt the index.
learn medium project discovery | uv pip compile needs --universal to be portable.
learn medium project discovery | Watch out for the off-by-one in the pagination cursor.
learn medium project discovery | The docs say retries are off, which is wrong.
learn medium project discovery | Because the proxy buffers, server-sent events arrive late.
learn medium project discovery | Debian's SQLite is too old for the RETURNING clause.
achv medium project feature | Implemented OAuth login with Google.
achv medium project feature | Added CSV export to the reports page.
achv medium project bugfix | Fixed the race condition in the upload queue.
achv medium project bugfix | Resolved the memory leak in the image resizer.
achv medium project refactor | Refactored the billing module into three services.
achv medium project refactor | Renamed UserManager to Accounts and split it in two.
achv medium project refactor | Extracted the parser into its own package.
achv medium project change | Upgraded Django to 5.1.
achv medium project change | Released version 2.3.0.
achv medium project change | Deployed the new pricing page to production.
achv medium project change | Migrated all users to the new schema.
achv medium project feature | Shipped the dark mode.
achv medium project change | All 412 tests pass and coverage is at 94%.
achv medium project change | Completed the migration to Python 3.12.
achv medium project change | Finished the quarterly dependency update.
achv high project feature | Launched the public beta, a major milestone.
achv medium project change | Removed the legacy v1 endpoints.
achv medium project feature | We have built a search index over the tickets.
achv medium project feature | The import wizard is done and merged.
achv medium project change | Reached 100% type coverage.
achv high project bugfix | Fixed a critical security bug in the session handling.
achv medium project bugfix | Patched the XSS hole in the comment form.
achv medium project feature | Introduced a plugin API for exporters.
achv medium project change | Bumped the minor version to 1.8.
achv medium project refactor | Simplified the retry logic and removed 300 lines.
achv medium project change | Published the first package to PyPI.
achv low project bugfix | Fixed a minor typo in the README.
achv medium project change | Merged the pull request for the new installer.
achv medium project feature | Created a dashboard for queue metrics.
achv medium project feature | The team delivered the offline mode on Friday.
learn medium project discovery | The refactoring is not done yet.
learn medium project discovery | Nothing was deployed because the pipeline was red.
learn medium project discovery | We never finished the Windows port.
arch low project decision | minor: must upgrade the linter config
learn medium project discovery | Большой запрос без индекса выполняется 40 секунд.
learn medium project discovery | 部署之前需要先运行数据库迁移。
learn medium project discovery | Die Tests laufen nur mit gesetzter Zeitzone.
learn medium project discovery | デプロイは毎週金曜日に行う。
learn medium project discovery | El servidor reinicia cada noche a las dos.
learn medium project discovery | Les sauvegardes sont chiffrées.
learn medium project discovery | 👍🚀
learn medium project discovery | x = 1
""")

CHECKED = _read("""
emot medium agent decision | Lena likes code reviews that start with what works.
emot medium agent decision | I don't want you to summarise what you just did.
emot medium agent decision | The user prefers to be asked before files are deleted.
emot medium agent decision | Please be blunt with me.
emot medium agent decision | He hates merge commits and will complain about them.
emot medium agent decision | I prefer working in small steps with a commit after each.
emot critical agent decision | Never use exclamation marks when you write to me.
emot medium agent decision | Tom is a beginner in Rust, explain lifetimes when they come up.
emot medium project decision | For this repo Lena prefers German variable names.
emot medium agent decision | My timezone is Europe/Berlin.
emot medium agent discovery | Sam was happy with the way the release notes were written.
emot low agent decision | Maybe tone down the jokes a little.
arch medium project decision | We settled on event sourcing for the order history.
arch medium project decision | Dates are formatted as ISO 8601 in every API response.
arch medium project discovery | The gateway forwards requests to the billing service over gRPC.
arch medium project discovery | Feature flags are stored in the flags table and cached for a minute.
arch critical project decision | Every migration must be reversible.
arch critical project decision | Never import from the internal package outside of core.
arch critical project decision | Always regenerate the client after changing openapi.yaml.
arch medium project decision | Stick to the standard library in the hook client.
arch medium project decision | Pin all GitHub Actions by commit hash.
arch medium project decision | We will not support Internet Explorer.
arch medium project discovery | The mobile app shares its models with the backend through a generated package.
arch high project decision | Important: keep the public interface of the SDK stable.
arch critical project decision | It is essential to keep the payment tables append-only.
arch medium project decision | Use feature branches and squash merges.
arch medium project discovery | Background jobs run on Sidekiq with three queues.
arch medium project decision | Agreed with the team: no new code in the legacy folder.
arch critical agent decision | In every project, never store secrets in the repository.
arch medium agent decision | In general, write commit messages in the imperative.
arch medium project discovery | The monorepo contains the web app, the API and the shared UI library.
arch medium project decision | Policy: dependencies older than a year get replaced.
achv medium project change | Replaced Moment with date-fns to cut the bundle size.
arch medium project discovery | Images are resized by a Lambda function and served from CloudFront.
arch medium project decision | Let errors bubble up to the HTTP layer instead of catching them in services.
learn medium project discovery | The Stripe webhook arrives before the redirect, so the order may not exist yet.
learn medium project discovery | Vitest does not pick up the tsconfig paths without the plugin.
learn medium project discovery | asyncio.run cannot be called from a running event loop.
learn medium project discovery | It turned out that the load balancer closes idle connections after 60 s.
learn medium project discovery | pip's resolver backtracks for minutes when boto3 is unpinned.
learn medium project discovery | The integration tests fail on ARM because the image is x86 only.
learn medium project discovery | Careful: the staging and production buckets differ by one letter.
learn medium project discovery | The first deploy after a schema change always times out.
learn medium project bugfix | Safari drops cookies on redirects; solved by setting SameSite=None.
learn medium project bugfix | The duplicate emails came from two cron entries, fixed by removing one.
learn medium project discovery | Postgres sorts NULLs last in ascending order.
learn low project discovery | There might be a leak in the websocket handler.
learn low project discovery | A minor glitch: the spinner stays visible after an error.
learn high project discovery | There is a major difference between the two date parsers.
learn high project discovery | The key takeaway is that retries need jitter.
learn medium project discovery | We never reproduced the crash locally.
learn medium project discovery | The keyboard shortcut only works when the editor has focus.
learn medium project discovery | Donkey and monkey are the names of the test servers.
learn medium project discovery | Redis evicts keys silently once maxmemory is reached.
learn medium project discovery | The nightly build is red again because of the expired token.
learn medium project discovery | Whoever wrote this must have assumed UTF-8.
learn low project discovery | Not important, but the log line prints the date twice.
learn medium project discovery | Terraform wants to recreate the bucket whenever the tags change.
learn medium project discovery | git bisect shows the regression started with commit 4f2a91c.
learn critical project discovery | Critical: deleting the volume also deletes the backups.
achv medium project feature | Added pagination to the audit log endpoint.
achv medium project bugfix | Fixed flaky login test by waiting for the redirect.
achv medium project refactor | Moved the validation code from the controllers into the domain layer.
achv medium project change | Deployed release 4.2 to all regions.
achv medium project feature | We shipped single sign-on for enterprise customers.
achv medium project change | The migration to Kubernetes is complete.
achv medium project bugfix | Solved the N+1 query problem on the dashboard.
achv medium project refactor | Rewrote the scheduler as a state machine.
achv medium project change | Updated all dependencies and removed three unused ones.
achv medium project feature | I implemented the CSV importer with streaming.
achv medium project change | Test coverage went from 61% to 85%.
achv medium project feature | Built a small CLI for replaying events.
achv medium project change | Closed the last open ticket of the milestone.
achv high project change | Finished the most important part of the audit.
achv medium project change | Reduced the Docker image from 1.2 GB to 180 MB.
achv medium project bugfix | Hotfix for the checkout outage is live.
learn medium project discovery | La base de datos se reinicia sola cada lunes.
learn medium project discovery | Кэш сбрасывается при каждом деплое.
learn medium project discovery | 测试必须在容器里运行。
learn medium project discovery | TODO
""")

UNSEEN = _read("""
emot medium agent decision | Omar doesn't enjoy long video calls, write things down instead.
emot medium agent decision | The user loves seeing benchmarks before and after a change.
emot medium agent decision | I like my functions short and my names long.
emot medium agent decision | User wants a summary at the end of every session.
emot medium agent decision | Talk to me like a colleague, not like a customer.
emot medium agent decision | Priya prefers seeing the failing test first.
emot critical agent decision | Always ask me before you install anything.
emot medium agent decision | I really dislike it when comments repeat the code.
emot medium agent discovery | The user felt annoyed after the third wrong guess.
emot medium agent decision | I'm a designer, so keep the technical terms to a minimum.
emot medium project decision | Omar likes verbose names in this codebase.
emot medium agent decision | A dry sense of humour is welcome.
arch medium project decision | Decision: we split the monolith along the billing boundary first.
arch medium project discovery | Events flow from the outbox table to Kafka through Debezium.
arch medium project discovery | Permissions are checked in the policy layer, never in the views.
arch critical project decision | All SQL must go through the query builder.
arch critical project decision | Never bypass the repository classes to reach the session.
arch medium project decision | We use Tailwind for styling and no CSS modules.
arch medium project decision | Prefer small pull requests with one concern each.
arch medium project discovery | The plugin system loads entry points from the group app.plugins.
arch medium project decision | Use structured logging with a request id on every line.
arch medium project decision | New endpoints go under /api/v2 only.
arch critical project decision | Secrets must never appear in logs.
arch high project decision | An important rule: the domain layer does not import the web layer.
arch medium project decision | We chose UUIDv7 for ids so that they sort by time.
arch medium project discovery | The dashboard is server-rendered and has no build step.
arch critical agent decision | Everywhere: always check the licence before adding a dependency.
arch medium agent decision | In all my projects I keep notes in docs/decisions.
arch medium project discovery | Staging and production share one cluster but use separate namespaces.
arch medium project discovery | The API returns errors as problem+json.
arch medium project decision | Do not add new tables to the legacy schema.
arch low project decision | It would be nice to have a Makefile target for this.
arch medium project decision | Test files mirror the source tree.
arch medium project change | We switched to pnpm workspaces in March.
arch critical project decision | It is crucial that the hook never blocks the agent.
learn medium project discovery | The ORM opens a transaction on the first read, which surprised us.
learn medium project discovery | Chrome throttles timers in background tabs.
learn medium project discovery | Without --no-cache the image keeps the old packages.
learn medium project discovery | The test suite deadlocks when two workers share the same database.
learn medium project discovery | Learned the hard way that `rm -rf $DIR/` needs a guard against an empty variable.
learn medium project discovery | mypy ignores the plugin unless it is listed in pyproject.toml.
learn medium project discovery | The OpenAPI generator produces invalid code for nullable enums.
learn medium project bugfix | Emails were sent twice because the job was not idempotent; fixed by adding a unique key.
learn medium project bugfix | Workaround: restart the dev server after editing the env file.
learn medium project discovery | Apparently the CDN caches 404 responses for ten minutes.
learn medium project discovery | SELECT FOR UPDATE takes no lock in SQLite.
learn low project discovery | The flicker is cosmetic and only shows on Linux.
learn low project discovery | This could possibly be a compiler bug.
learn high project discovery | Importantly, the token is refreshed only once per hour.
learn high project discovery | A significant part of the start-up time is spent importing pandas.
learn medium project discovery | We have always run this on Ubuntu, nobody knows if it works elsewhere.
learn medium project discovery | The likely culprit is the connection pool.
learn medium project discovery | The certificate must have expired over the weekend.
learn medium project discovery | The CI runner has only 2 GB of memory, so parallel builds get killed.
learn medium project discovery | Timezones: the report query groups by local date, not by UTC.
learn medium project discovery | There is no way to cancel a running import.
learn medium project discovery | The undone migration left an orphan index.
learn critical project discovery | Critical: never-ending retries took the payment provider down.
learn medium project discovery | The benchmark is noisy on shared machines.
learn medium project discovery | Mocking time breaks the token cache.
achv medium project feature | Implemented rate limiting per API key.
achv medium project bugfix | Fixed the off-by-one in the pagination cursor.
achv medium project refactor | Split the 2,000-line views module into five files.
achv medium project change | Migrated CI from Travis to GitHub Actions.
achv medium project feature | The team has launched the partner portal.
achv medium project change | Upgraded to React 19 without breaking changes.
achv medium project bugfix | Resolved all type errors in the exporter.
achv medium project change | Cut the build time from 11 to 4 minutes.
achv medium project feature | Wrote a parser for the bank's export format.
achv medium project change | All end-to-end tests pass on Windows now.
achv medium project refactor | Cleaned up the settings module and deleted dead code.
achv medium project change | Published version 0.9 to npm.
achv medium project feature | We finally added keyboard navigation to the grid.
achv medium project change | The data centre move is finished.
achv high project bugfix | Patched a critical vulnerability in the upload handler.
learn medium project discovery | Der Import bricht bei Umlauten ab.
learn medium project discovery | 로그는 매일 밤 삭제된다.
learn medium project discovery | Les tests échouent sans connexion.
learn medium project discovery | ???
""")
