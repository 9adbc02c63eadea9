# ruff: noqa: E501 - one pair a line
"""Pairs of statements, the older first, in which the newer one has another value, or only seems to.

They were looked at while the rules of `replacement` were written, part after part. At first sight, the rules found 60
of 71, 66 of 83 and 26 of 37 replacements in the parts that were added by the same person, with 2, 1 and 0 false alarms
in 98, 96 and 41 pairs, and 4 of 23 in the last part, which another person wrote in freer words, with none in 40. The
pairs that are still not found are left out.
"""

from __future__ import annotations


def _split_pairs(table: str) -> list[tuple[str, str]]:
    rows = (line.split(" | ") for line in table.strip().splitlines())
    return [(newer, older) for older, newer in rows]


REPLACING = _split_pairs(
    """
The session store is Redis | The session store is Postgres
We deploy to heroku | We no longer deploy to heroku, we deploy to fly.io
Tests run with nose | Tests run with pytest, no longer nose
The session store is Redis | We moved the session store from Redis to Postgres
The oven service listens on port 7000 | We moved the oven service to port 9000
The staging db is heron-6 | actually the staging db is heron-7, not heron-6
The staging db is heron-6 | actually the staging db is heron-7
We use Jenkins for CI | We use GitHub Actions for CI now
We use Jenkins for CI | CI runs on GitHub Actions now, not Jenkins
The primary database is MySQL 5.7 | The primary database is MySQL 8
Our package manager is npm | Our package manager is pnpm now
We use yarn | We don't use yarn any more, we use pnpm
We use yarn to install packages | Use pnpm instead of yarn
Deploys go out on Fridays | Deploys no longer go out on Fridays, they go out on Tuesdays
The release branch is release/2.x | The release branch is release/3.x
The default branch is master | The default branch is main
We branch from master | We branch from main, not from master
Feature branches are named feat/<ticket> | Feature branches are named feature/<ticket>
Ben owns the billing module | Carla owns the billing module now
The owner of the billing module is Ben | The owner of the billing module is Carla
The billing module is owned by Ben | The billing module is now owned by Carla
Ben is the on-call engineer | Carla is the on-call engineer now
The linter is flake8 | The linter is ruff
We lint with flake8 | We lint with ruff instead of flake8
Format code with black | Format code with ruff format, not black
The API runs on Node 18 | The API runs on Node 22
We use Node 16 | We upgraded from Node 16 to Node 22
The project needs Python 3.9 or newer | The project needs Python 3.11 or newer
The worker pool has 8 workers | The worker pool has 16 workers
The request timeout is 30s | The request timeout is 45s
The nightly backup runs at 02:00 | The nightly backup runs at 04:00
The nightly backup runs at 2am | The nightly backup now runs at 4am
Standup is at 9:30 | Standup is at 10:00 now
Standup is on Mondays | Standup moved from Mondays to Wednesdays
Commit messages are written in German | Commit messages are written in English
Logs go to Datadog | Logs go to Grafana Loki now
Logs are shipped to Datadog | Logs are no longer shipped to Datadog, they are shipped to Loki
Emails are sent through Sendgrid | Emails are sent through Postmark
We send email with Sendgrid | We switched from Sendgrid to Postmark
The docs are hosted on ReadTheDocs | The docs are hosted on GitHub Pages
Docs are built with Sphinx | Docs are built with MkDocs instead of Sphinx
The frontend is written in Vue | The frontend was rewritten from Vue to React
The frontend is built with webpack | The frontend is built with vite
Secrets live in .env files | Secrets no longer live in .env files, they live in Vault
Secrets are kept in Vault | Secrets are kept in AWS Secrets Manager
The config file is config.ini | The config file is config.toml
Config lives in config.ini | Config lives in settings.toml now
Session store: Redis | Session store: Postgres
session store: Redis | session store: Redis → Postgres
The queue is RabbitMQ | queue: RabbitMQ -> SQS
The port of the gateway is 8080 | Gateway port: 8080 → 9090
Images are pushed to Docker Hub | Images are pushed to ghcr.io instead of Docker Hub
The image registry is docker.io | The image registry is ghcr.io
Users are authenticated with sessions | Users are authenticated with JWT, not with sessions any more
Auth uses cookies | Auth uses JWT instead of cookies
Our cloud is AWS | We moved from AWS to Hetzner
The app is hosted on AWS | We migrated the app from AWS to Hetzner
We host on AWS | We are on Hetzner now, not AWS
The staging url is stage.acme.dev | The staging url is staging.acme.dev
Staging runs at http://10.0.0.4 | Staging now runs at http://10.0.0.9
Pull requests need one approval | Pull requests need two approvals
Pull requests need one approval | Pull requests now need two approvals instead of one
Squash merges are the rule | Squash merges are no longer the rule
We squash-merge | We no longer squash-merge, we rebase
Use tabs for indentation | Use spaces for indentation, not tabs
Indent with 2 spaces | Indent with 4 spaces
The line length is 79 | The line length is 100 from now on
Use camelCase for JSON keys | JSON keys are snake_case now, no longer camelCase
Table names are plural | Table names are singular, not plural
Test files are named test_*.py | Test files are named *_test.py
Dates are stored as local time | Dates are stored as UTC, no longer as local time
The feature flag service is LaunchDarkly | The feature flag service is Unleash
Feature flags come from LaunchDarkly | Feature flags come from Unleash now
We track errors in Sentry | We track errors in GlitchTip, not in Sentry any more
Issues are tracked in Jira | Issues are tracked in Linear
Tickets live in Jira | We moved our tickets from Jira to Linear
The team chat is Slack | We replaced Slack with Zulip
We use Slack for alerts | Alerts no longer go to Slack
The design system is Material UI | The design system is now Chakra
State management is Redux | We dropped Redux, state management is Zustand
We use Redux | Redux is gone, we use Zustand
We use Lerna | Lerna was replaced by Turborepo
We use moment.js for dates | We replaced moment.js with date-fns
HTTP calls use axios | HTTP calls use fetch instead of axios
Search runs on Elasticsearch | Search runs on Meilisearch
The search engine is Elasticsearch | The search engine is Typesense now
Backups are kept for 14 days | Backups are kept for 30 days
Backups go to S3 | Backups go to Backblaze
The cache TTL is 60 seconds | The cache TTL is 5 minutes
The max upload size is 10 MB | The max upload size was raised from 10 MB to 25 MB
The rate limit is 100 requests per minute | We raised the rate limit to 300 requests per minute
Migrations are run with Flyway | Migrations are run with Liquibase
We use Alembic for migrations | We stopped using Alembic for migrations
The ORM is Sequelize | We switched the ORM from Sequelize to Prisma
The mobile app uses Realm | The mobile app uses SQLite instead of Realm
Postgres is our session store | Redis is our session store now
Anna is the product owner | Boris is the product owner
The product owner is Anna | The product owner is Boris, not Anna
The maintainer of the parser is Anna | The parser is maintained by Boris now, not by Anna
The production cluster is called orca | The production cluster is called narwhal
The cluster runs in eu-west-1 | The cluster runs in eu-central-1
The k8s namespace is shop-prod | The k8s namespace is shop-live
We release every two weeks | We release every week now
Releases happen monthly | Releases happen weekly, no longer monthly
The license is MIT | The license is Apache-2.0
The API version is v1 | The API version is v2
The base image is python:3.11-slim | The base image is python:3.13-slim
Base image: debian:bullseye | Base image: debian:bookworm
The entry point is src/index.js | The entry point is src/main.ts
Run the tests with tox | Run the tests with nox, not tox
The VPN is OpenVPN | The VPN is WireGuard
Payments go through Stripe | Payments go through Adyen
The payment provider is Stripe | The payment provider is Adyen
The theme colour is blue | The theme colour is green
The project is called Falcon | The project was renamed from Falcon to Osprey
The service is called user-svc | The service is called accounts now
Metrics are scraped by Prometheus | Metrics are collected by VictoriaMetrics instead of Prometheus
The reverse proxy is nginx | The reverse proxy is Caddy, not nginx
We serve the app with gunicorn | We serve the app with uvicorn
The job runner is Celery | Correction: the job runner is RQ
Jobs run on Celery | Update: jobs run on RQ
Monitoring is done with Nagios | Monitoring isn't done with Nagios anymore
The API speaks REST | The API speaks GraphQL now
Wir deployen auf Heroku | Wir deployen nicht mehr auf Heroku, sondern auf Fly.io
Der Session-Store ist Redis | Der Session-Store ist jetzt Postgres
Der Session-Store ist Redis | Der Session-Store ist Postgres
Wir benutzen npm | Wir benutzen jetzt pnpm statt npm
Die Tests laufen mit nose | Die Tests laufen mit pytest statt mit nose
Wir nutzen Jenkins für die CI | Wir sind von Jenkins auf GitLab umgestiegen
Der Port ist 8080 | Der Port ist jetzt 9090
Die Datenbank ist MySQL | Die Datenbank ist Postgres, nicht mehr MySQL
Le magasin de sessions est Redis | Le magasin de sessions est Postgres
On déploie sur Heroku | On ne déploie plus sur Heroku, on déploie sur Fly.io
Nous utilisons npm | Nous utilisons pnpm au lieu de npm
La base de données est MySQL | La base de données est maintenant Postgres
Le port est 8080 | Le port est désormais 9090
Les tests tournent avec nose | Les tests tournent avec pytest, plus avec nose
El almacén de sesiones es Redis | El almacén de sesiones es Postgres
Desplegamos en Heroku | Ya no desplegamos en Heroku, desplegamos en Fly.io
Usamos npm | Usamos pnpm en lugar de npm
La base de datos es MySQL | La base de datos ahora es Postgres
El puerto es 8080 | El puerto es 9090
Usamos Jenkins para CI | Hemos pasado de Jenkins a GitLab
セッションストアはRedisです | セッションストアはPostgresです
テストはnoseで実行します | テストはnoseではなくpytestで実行します
デプロイ先はHerokuです | デプロイ先はFly.ioになりました
npmを使います | npmの代わりにpnpmを使います
データベースはMySQLです | データベースはMySQLからPostgresに移行しました
会话存储是Redis | 会话存储是Postgres
我们使用npm | 我们不再使用npm，改用pnpm
我们部署到Heroku | 我们不再部署到Heroku，而是部署到Fly.io
数据库是MySQL | 数据库现在是Postgres
端口是8080 | 端口改为9090
测试用nose运行 | 测试用pytest运行，不再用nose
Our CI is Travis | Our CI is Buildkite
We write our API docs in Swagger | We write our API docs in Redoc now
Invoices are rendered with wkhtmltopdf | Invoices are rendered with WeasyPrint instead of wkhtmltopdf
Passwords are hashed with bcrypt | Passwords are hashed with argon2
The cron job runs every 10 minutes | The cron job runs every 5 minutes
The free plan allows 3 projects | The free plan allows 5 projects
The minimum Go version is 1.20 | The minimum Go version is 1.22
We keep logs for 7 days | We keep logs for 30 days now
The support address is help@acme.io | The support address is support@acme.io
The office wifi is acme-guest | The office wifi is acme-main
The design lead is Petra | Petra is no longer the design lead, it's Jonas
Petra leads the design team | Jonas leads the design team now
Dana approves releases | Dana no longer approves releases
We ship releases from the master branch | We ship releases from the stable branch now
Hotfixes branch off develop | Hotfixes branch off main, no longer off develop
We name migrations 001_name.sql | We name migrations with a timestamp instead of 001_name.sql
Our monorepo tool is Lerna | Our monorepo tool is Nx
The translation files are in locale/ | The translation files moved from locale/ to i18n/
Fixtures live under tests/data | Fixtures live under tests/fixtures
The admin panel is served at /admin | The admin panel is served at /backoffice
Builds run on Ubuntu 20.04 | Builds run on Ubuntu 24.04
The warehouse is Redshift | We've migrated the warehouse from Redshift to BigQuery
The warehouse is Redshift | We replaced Redshift with BigQuery as the warehouse
Events are published to Kafka | Events are published to NATS rather than Kafka
Events go through Kafka | Events go through Pulsar now, not Kafka
We use Kafka for events | We don't use Kafka for events anymore
The message bus is Kafka | Kafka is not our message bus anymore, NATS is
The mail server is mx1 | The mail server is mx2
Error pages come from the CDN | Error pages don't come from the CDN any more
The deploy script is deploy.sh | The deploy script is now scripts/ship.py
The coverage gate is 70% | The coverage gate went up from 70% to 85%
The coverage gate is 70% | We raised the coverage gate to 85%
The queue timeout is 10 s | queue timeout: 10 s → 25 s
Weekly report goes out on Monday | Weekly report goes out on Thursday from now on
Release day is Thursday | Release day is Tuesday
The retro is every second Friday | The retro is every second Tuesday
Use black for formatting | Use ruff for formatting
Use black for formatting | Don't use black for formatting any longer, use ruff
Prefer unittest | Prefer pytest over unittest
Type checking is done with mypy | Type checking is done with pyright
We type-check with mypy | We type-check with pyright, no longer with mypy
The container runtime is Docker | The container runtime is Podman
We orchestrate with Kubernetes | We orchestrate with Nomad instead of Kubernetes
We provision with Ansible | We switched from Ansible to Terraform for provisioning
The secret manager is Vault | The secret manager is Doppler
The feature branch prefix is feat/ | The feature branch prefix is feature/
The main colour is teal | The main colour is navy
The company name is Foo GmbH | The company was renamed from Foo GmbH to Bar AG
The staging host is 10.1.0.4 | The staging host changed to 10.1.0.9
The staging host is 10.1.0.4 | The staging host is no longer 10.1.0.4 but 10.1.0.9
Sessions expire after 24 hours | Sessions expire after 8 hours
The mobile app is written in Swift | The mobile app is written in Flutter now
The client library is axios | The client library is ky
We render charts with d3 | We render charts with ECharts now
The test runner is mocha | The test runner is vitest
The bundler is webpack | The bundler changed from webpack to Rspack
The admin UI uses Bootstrap | The admin UI no longer uses Bootstrap
The admin UI uses Bootstrap | The admin UI uses Tailwind instead of Bootstrap
The importer reads from FTP | The importer reads from S3 now instead of FTP
The API gateway is Kong | We dropped Kong in favour of Traefik
Our error tracker is Rollbar | Rollbar was replaced by Sentry
The CDN is Cloudflare | The CDN is Fastly now (was Cloudflare)
Our analytics run on Mixpanel | Our analytics run on PostHog
We sign commits with GPG | We sign commits with SSH keys instead of GPG
Die Datenbank läuft auf Port 5432 | Die Datenbank läuft jetzt auf Port 5433
Wir schreiben Commits auf Deutsch | Wir schreiben Commits auf Englisch statt auf Deutsch
Nous déployons le vendredi | Nous ne déployons plus le vendredi
Usamos Redis para las sesiones | Ya no usamos Redis para las sesiones
CIはJenkinsで動いています | CIはJenkinsからGitHub Actionsに移行しました
我们用Jenkins做CI | 我们把Jenkins换成GitHub Actions
Primary datastore: MySQL 8 | Primary datastore: PostgreSQL 16
Maria owns the checkout service | The checkout service is now owned by Tomas
Maria owns the checkout service | Ownership of the checkout service moved from Maria to Tomas
Releases are cut from `develop` | Releases are cut from `main` now, not `develop`
Python 3.10 is the minimum | Python 3.12 is the minimum now
Prod runs Postgres 14 | Prod runs Postgres 16
Prod runs Postgres 14 | We upgraded prod from Postgres 14 to 16
Our deploy target is Heroku | Our deploy target is Render
The app deploys to Heroku | The app deploys to Render
The app is deployed on Heroku | We've switched to Fly.io, the app is no longer deployed on Heroku
We're on Heroku | We're on Fly.io now
Deployment happens via Jenkins | Deployment happens via ArgoCD instead of Jenkins
CI is CircleCI | We switched CI from CircleCI to GitHub Actions
CI: CircleCI | CI: CircleCI → GitHub Actions
Package manager: npm | Package manager: npm -> pnpm
Package manager: npm | Switched to pnpm
We use npm for package management | pnpm instead of npm for package management
Redis runs on port 6379 | Redis now runs on port 6380
The dev server uses port 3000 | The dev server uses port 5173
The dev server port is 3000 | Dev server port changed from 3000 to 5173
API base path is /api/v1 | API base path is /api/v2
Standup is at 10am | Standup has moved to 9am
Standup is daily at 10:00 | Standup is daily at 9:30
Backups run weekly | Backups run daily now
Backups run nightly at 1am | Backups run nightly at 3am
We deploy every Friday | We deploy every Tuesday now
Deploys are on Thursday | Deploys are on Tuesday, not Thursday
Code freeze starts on Friday | Code freeze starts on Thursday from now on
Branch names use underscores | Branch names use hyphens, not underscores
Component files are PascalCase | Component files are kebab-case now
Component files use PascalCase | Component files use kebab-case instead of PascalCase
Env vars are prefixed with APP_ | Env vars are prefixed with SHOP_
Test files end in .test.js | Test files end in .spec.ts
Migrations live in db/migrate | Migrations live in migrations/
Migrations live in db/migrate | Migrations moved to migrations/
The CI image is node:18 | The CI image is node:20
Terraform version is 1.3 | Terraform version is 1.7
We pin Terraform at 1.3 | We pin Terraform at 1.7 now
Max connections is 100 | Max connections is 200
The connection pool has 10 connections | The connection pool has 20 connections
The JWT expires after 15 minutes | The JWT expires after 60 minutes
Retries: 3 | Retries: 5
The alert channel is #ops | The alert channel is #incidents
Alerts go to #ops | Alerts go to #incidents
Alerts are sent to PagerDuty | Alerts are sent to Opsgenie, no longer PagerDuty
On-call is Sam this quarter | On-call is Priya this quarter
The security contact is Sam | The security contact is Priya
Sam is responsible for the infra | Priya is responsible for the infra now
Sam maintains the SDK | Priya now maintains the SDK
Sam reviews all migrations | Priya reviews all migrations now, not Sam
We write CSS with Sass | We write CSS with Tailwind, not Sass
Styling is done with styled-components | Styling is done with Tailwind
The state library is Redux | We've replaced Redux with Zustand
Forms use Formik | Forms use React Hook Form instead of Formik
Use moment for dates | Use date-fns for dates instead of moment
We use 2 spaces | We use 4 spaces
Log format is plain text | Log format is JSON
Logs are written as plain text | Logs are written as JSON now
The primary language is German | The primary language is English
UI texts are in German | UI texts are in English
Uploads are stored on disk | Uploads are stored in S3 now
Uploads are stored on local disk | We no longer store uploads on local disk, they go to S3
File uploads go to S3 | File uploads go to R2
The search backend is Solr | The search backend is OpenSearch
We cache in Memcached | We cache in Redis now, Memcached is gone
The queue is Sidekiq | The queue is no longer Sidekiq, it is SQS
Emails come from noreply@acme.io | Emails come from hello@acme.io
Docs are in Confluence | Docs are in Notion now
Docs are in Confluence | Docs moved from Confluence to Notion
Our wiki is Confluence | Our wiki is Notion
Designs are in Sketch | Designs are in Figma
Wir hosten bei AWS | Wir hosten jetzt bei Hetzner statt bei AWS
Unser Paketmanager ist npm | Unser Paketmanager ist pnpm
Tests laufen mit Jest | Tests laufen jetzt mit Vitest
Wir nutzen Slack | Wir nutzen kein Slack mehr
Notre gestionnaire de paquets est npm | Notre gestionnaire de paquets est pnpm
Les tests utilisent Jest | Les tests utilisent Vitest au lieu de Jest
Nuestro gestor de paquetes es npm | Nuestro gestor de paquetes es pnpm
Los tests usan Jest | Los tests usan Vitest en vez de Jest
パッケージマネージャーはnpmです | パッケージマネージャーはpnpmに変わりました
包管理器是npm | 包管理器是pnpm
Screenshots for the docs are made with Percy. | Percy is gone, docs screenshots come from Playwright now
Anything about the tax module goes to Leonie. | The tax module is Bruno's now, no longer Leonie's
Leonie owns the tax module. | the tax module is owned by Bruno since Leonie left
Our VPN is OpenVPN | we've moved off OpenVPN, VPN is WireGuard now
Releases get tagged as release-<date>. | Releases are no longer tagged release-<date>, we tag them v<semver>
Dev containers are built from ubuntu:20.04 | Dev containers: ubuntu:20.04 → debian:12
We host our packages on Artifactory | Packages live on GitHub Packages now that Artifactory is gone
The game server is written in Java. | we rewrote the game server from Java to Go
The crawler respects a delay of 2 seconds. | The crawler delay went from 2 seconds to 5 seconds
Payroll export runs on the 25th. | payroll export runs on the 27th now, not on the 25th
For monitoring we rely on Nagios | Nagios got replaced by Prometheus for monitoring
We store vectors in Pinecone | We dropped Pinecone, vectors are stored in pgvector
the ML models are trained with TensorFlow | ML models are trained with PyTorch now, TensorFlow was removed
Translations are managed in Crowdin | We switched translations from Crowdin to Weblate
Local dev uses docker-compose | local dev doesn't use docker-compose anymore, it's all devcontainers
The login service listens on 7001. | login service listens on 7443 now
Default page size is 25. | default page size bumped to 50
Our staging domain is stg.example.net | The staging domain changed from stg.example.net to staging.example.net
PDFs get generated by wkhtmltopdf | PDFs are now generated with Typst rather than wkhtmltopdf
The team lead for mobile is Ravi | Ravi stepped down, the team lead for mobile is Mei now
Hot reload is provided by nodemon | hot reload works through tsx watch now, not nodemon
The frontend bundle is served from S3. | The frontend bundle is no longer served from S3, Cloudflare R2 serves it
We run load tests using JMeter | load tests run with k6 from now on
Our feature flags live in ConfigCat | Feature flags moved out of ConfigCat into Flagsmith
Test coverage is reported to Coveralls | Test coverage is reported to Codecov instead
API docs are written in RAML | API docs are written in OpenAPI, RAML is deprecated
Wir speichern Bilder bei Cloudinary | Bilder liegen jetzt bei imgix, nicht mehr bei Cloudinary
Das Monitoring läuft über Zabbix | Zabbix wurde durch Prometheus ersetzt
Ansprechpartner für die Rechnungen ist Jutta | Ansprechpartner für die Rechnungen ist jetzt Kai
On envoie les mails avec Mailgun | Les mails sont envoyés avec Brevo maintenant, plus avec Mailgun
El servidor de correo es Postfix | El servidor de correo ya no es Postfix, ahora es Exim
監視にはZabbixを使っています | 監視はZabbixからPrometheusに切り替えました
The order service stores everything in MySQL. | order service is on cockroachdb these days
We deploy the marketing site to Netlify. | We moved the marketing site from Netlify to Cloudflare Pages over the weekend.
Formatting in this repo is done with prettier, run it before you commit. | we no longer use prettier here, biome does formatting
The firmware is built with the IAR compiler. | actually the firmware has been building with arm-none-eabi-gcc since march, IAR licence ran out
save games are serialized as JSON | Save games were switched over to flatbuffers last sprint.
CI runs on Jenkins. | CI is now GitHub Actions, the jenkins box is off
default branch is master | the default branch isn't master any more, it's trunk
State management in the app: Redux Toolkit. | State management in the app: Zustand.
Unit-Tests schreiben wir mit Jest. | Jest ist raus, Unit-Tests laufen jetzt alle mit Vitest.
la base de données de prod est hébergée chez OVH | On a quitté OVH : la base de prod tourne maintenant chez Scaleway.
El equipo despliega los jueves por la tarde. | Ya no desplegamos los jueves, ahora toca los martes por la mañana.
ログはDatadogに送っています。 | ログの送り先はDatadogからGrafana Lokiに変わりました。
Use yarn in the dashboard folder. | pnpm for the dashboard folder please, yarn.lock is gone
The ingest pipeline is orchestrated by Airflow on the old k8s cluster. | Dagster took over from Airflow for the ingest pipeline.
staging lives at staging.birdbox.example | staging url changed: preview.birdbox.example, the old host only shows a 404
API responses use snake_case keys. | keys in API responses are camelCase, we flipped that with v3 and v2 has been removed
"""
)

COEXISTING = _split_pairs(
    """
The session store is Redis | The job queue is Postgres
The session store is Redis | The user store is Postgres
The session store is Redis | The session store is encrypted
The session store is Redis | The session store is fast
The session store is Redis | The session store is Redis 7
The session store is Redis | The session store is Redis, the queue is SQS
The session store is Redis | The session store is shared by all pods
The session store is Redis | The session store in staging is SQLite
The session store is Redis | Is the session store Postgres?
The session store is Redis | Maybe the session store is Postgres
The session store is Redis | The session store was Postgres
The session store is Redis | The session store used to be Postgres
The session store is Redis | The session store will be Postgres next quarter
The session store is Redis | The session store should be Postgres one day
The session store is Redis | We could move the session store from Redis to Postgres
The session store is Redis | We may move the session store to Postgres
The session store is Redis | We plan to move the session store to Postgres
The session store is Redis | If load grows, the session store is Postgres
The session store is Redis | "The session store is Postgres", said the README of the fork
The session store is Redis | Unlike the session store, the audit log is Postgres
The session store is Redis | Postgres is faster than Redis
The session store is Redis | For tests the session store is SQLite
The session store is Redis | In the demo the session store is Postgres
The session store is Redis | The session store is not clustered
The session store is Redis | The old session store is Postgres
The session store is Redis | The session store has a TTL of 60 seconds
The session store of the shop is Redis | The session store of the admin is Postgres
The session store is Redis | The session store of the admin is Postgres
The session store is Redis | Should the session store be Postgres?
The session store is Redis | The session store is Redis or Postgres
The session store is Redis | The fallback session store is Postgres
We deploy to heroku | We also deploy to fly.io
We deploy to heroku | We deploy to heroku from main
We deploy the API to heroku | We deploy the website to netlify
We deploy to heroku | We deploy on Fridays
We deploy to heroku | We deploy previews to vercel
We deploy to staging | We deploy to production
We deploy to heroku | We no longer deploy to heroku on Fridays
We deploy to heroku | They deploy to fly.io
We deploy to heroku | We used to deploy to fly.io
We deploy to heroku | If heroku is down we deploy to fly.io
We deploy to heroku | We are evaluating fly.io instead of heroku
We deploy to heroku | We tried fly.io instead of heroku and went back
We deploy to heroku | Our competitor moved from heroku to fly.io
We deploy to heroku | Could we deploy to fly.io?
Staging deploys to heroku | Production deploys to fly.io
Tests run with pytest | Lint runs with ruff
Tests run with pytest | Tests run with coverage enabled
Tests run with pytest | End-to-end tests run with playwright
Tests run with pytest | Tests run with pytest and coverage
Tests run with pytest | Tests run in CI
Tests run with pytest | Tests run in parallel
Tests run with pytest | Frontend tests run with vitest
Unit tests run with jest | Integration tests run with cypress
For tests we use SQLite | In production we use Postgres
We use Postgres | For tests we use SQLite
We use Postgres in production | We use SQLite in tests
We use Postgres | We use Redis
We use Postgres | We also use Redis
We use Postgres | We use Postgres and Redis
We use Postgres for orders | We use Redis for caching
We use Postgres for orders | We use Mongo for the catalogue
We use React for the frontend | We use Django for the backend
We use React | We use TypeScript
We use React | We use Storybook
The API uses FastAPI | The API uses SQLAlchemy
The API uses Redis | The API uses Postgres
The frontend uses React | The backend uses Django
The frontend is written in TypeScript | The backend is written in Go
The frontend port is 3000 | The backend port is 8000
The API listens on port 8080 | The metrics endpoint listens on port 9090
The API listens on port 8080 | The API listens on port 8443 for TLS
The API listens on port 8080 | The API also listens on port 8443
The API listens on port 8080 | The API listens on localhost
The API listens on port 8080 in dev | The API listens on port 80 in production
The staging db is heron-6 | The production db is heron-7
The staging db is heron-6 | heron-7 is the name of the replica
The staging db is heron-6 | The staging db is read-only
The staging db is heron-6 | The backup of the staging db is heron-7
The staging server is stage1.acme.dev | The second staging server is stage2.acme.dev
Server 1 is in Frankfurt | Server 2 is in Paris
The EU cluster runs in Frankfurt | The US cluster runs in Oregon
Ben owns billing | Carla owns search
Ben owns billing | Ben owns search
Ben reviews the billing module | Carla reviews the billing module
Ben knows the billing module | Carla knows the billing module
Ben wrote the parser | Carla wrote the parser
Ben fixed the parser | Carla fixed the lexer
Ben likes tabs | Carla likes spaces
Ben is on holiday this week | Carla is on holiday this week
Ben works on the importer | Carla works on the importer
The billing module is owned by Ben | The billing module is owned by Ben and Carla
The billing module is owned by Ben | The billing tests are owned by Carla
The billing module is owned by Ben | The billing module is reviewed by Carla
The team lead is Anna | The deputy team lead is Boris
The team lead is Anna | The team lead is on holiday
The team lead of payments is Anna | The team lead of search is Boris
Python 3.11 is supported | Python 3.12 is supported
We support Chrome | We support Firefox
We test on Python 3.11 | We test on Python 3.12
CI runs on Linux | CI runs on Windows
The app runs on iOS | The app runs on Android
The CLI works on macOS | The CLI works on Linux
The build works with Node 18 | The build works with Node 20
The parser reads YAML | The parser reads TOML
The export writes CSV | The export writes PDF
The API returns JSON | The API returns 404 for unknown ids
The API returns JSON | The API returns XML if asked
The config is in YAML | The lockfile is in TOML
The config lives in config/ | The tests live in tests/
The bug is in parser.py | The bug is in lexer.py
The bug was in parser.py | The fix is in lexer.py
The docs are in docs/ | The changelog is in CHANGELOG.md
The log level in staging is debug | The log level in production is info
The log level is info | In dev the log level is debug
The timeout is 30 seconds | The timeout for uploads is 120 seconds
The timeout of the proxy is 30 seconds | The timeout of the worker is 60 seconds
The retry limit is 5 | The retry delay is 2 seconds
The job took 30 seconds | The job took 40 seconds today
The build takes 3 minutes | The build takes 8 minutes on a cold cache
The test suite has 300 tests | The importer has 40 tests
The index has 3 shards | The index has 2 replicas
Line length is 100 in Python | Line length is 80 in Markdown
Use 2 spaces in YAML | Use 4 spaces in Python
Use tabs in Go | Use spaces in Python
Use double quotes in JSON | Use single quotes in JavaScript
Use camelCase in JavaScript | Use snake_case in Python
Use snake_case for functions | Use PascalCase for classes
Branches are named feat/<ticket> | Bugfix branches are named fix/<ticket>
Branches are named feat/<ticket> | Tags are named v<version>
The release branch is release/2.x | The hotfix branch is hotfix/2.x
The default branch is main | The docs branch is gh-pages
The default branch is main | The default branch is protected
We branch from main | We tag from main
Release 2.4 shipped on Monday | Release 2.5 shipped on Friday
Version 2.4 fixes the login | Version 2.5 fixes the export
v1 is deprecated | v2 is stable
The v1 API is frozen | The v2 API is in beta
The nightly backup runs at 02:00 | The nightly report runs at 04:00
The backup runs at 02:00 | The backup of the logs runs at 04:00
The backup runs at 02:00 | The backup takes 40 minutes
The backup runs at 02:00 | The backup failed at 04:00
Standup is at 9:30 | Retro is at 14:00
Standup is at 9:30 | Standup is at 10:00 on Fridays
Standup is on Mondays | Planning is on Tuesdays
Standup is on Monday | Standup was on Tuesday last week
Deploys go out on Tuesdays | Hotfixes go out on any day
We meet on Mondays | We meet in room 4
Images are pushed to ghcr.io | Packages are pushed to PyPI
Images are pushed to ghcr.io | Images are signed with cosign
Images are tagged with the commit | Images are tagged with the branch too
Logs go to Datadog | Metrics go to Prometheus
Logs go to Datadog | Access logs go to S3
Logs go to Datadog | Logs are kept for 14 days
Emails are sent through Postmark | SMS are sent through Twilio
Emails are sent through Postmark | Emails are sent asynchronously
Emails are sent through Postmark | Newsletters are sent through Mailchimp
Secrets live in Vault | Feature flags live in Unleash
Secrets live in Vault | Local secrets live in .env
Payments go through Stripe | Refunds go through support
Payments go through Stripe | In Brazil payments go through Pix
The payment provider is Stripe | The payment provider for invoices is Adyen
We use Stripe | We compared Stripe with Adyen
We use Stripe | Adyen is cheaper than Stripe
We use Stripe | The README of stripe-mock says to use Adyen
We use npm | npm audit fails with yarn lockfiles
We use npm | Don't use yarn in the examples folder
We use npm | The examples use yarn
We use npm for the website | We use pip for the scripts
We use npm | Use yarn in the legacy folder instead of npm
We use npm | Why not use pnpm instead of npm?
We use npm | I would use pnpm instead of npm
We use npm | The user asked whether to switch from npm to pnpm
We use npm | We decided against switching from npm to pnpm
We use npm | We did not move from npm to pnpm
We use npm | We have not switched to pnpm yet
We use npm | We'll switch from npm to pnpm in May
We use npm | TODO: switch from npm to pnpm
We use npm | Migrating from npm to pnpm is on the roadmap
We use npm | Next year we use pnpm
We use npm | For example, a project that moved from npm to pnpm saves disk space
We use npm | One option is pnpm instead of npm
We use npm | Before 2021 we used yarn
We use npm | npm 10 is installed on the CI machines
We use Docker | We use Docker Compose
We use Docker | We use Podman on the Mac minis
We use Jest for the frontend | We use pytest for the backend
We use Sentry for errors | We use Datadog for metrics
We use Slack for chat | We use Zoom for calls
We use GitHub for code | We use Jira for tickets
We use Redis for the cache | We use Redis for the queue
We use feature flags for rollouts | We use canaries for rollouts
We use Terraform for infrastructure | We use Ansible for provisioning
Use httpx for async calls | Use requests for sync calls
Use pytest fixtures for setup | Use factories for test data
Use structlog for logging | Use loguru in the scripts
The linter is ruff | The type checker is mypy
The linter is ruff | The linter runs on every commit
The linter is ruff | The linter for CSS is stylelint
The frontend linter is eslint | The backend linter is ruff
The app is called Falcon | The app's database is called falcon_db
The project is called Falcon | The mascot is called Ozzy
The service is called user-svc | The table is called users
The id of the demo user is 17 | The id of the admin user is 1
The quota for free users is 5 projects | The quota for paid users is 50 projects
The price of the basic plan is 9 EUR | The price of the pro plan is 29 EUR
Step 1 is to build | Step 2 is to test
Option A is Redis | Option B is Postgres
Phase 1 uses SQLite | Phase 2 uses Postgres
Team A uses Jira | Team B uses Linear
Customer Acme is on plan 3 | Customer Bolt is on plan 4
The user prefers short answers | The user prefers tables for comparisons
The user prefers dark mode | The user prefers vim
I like short commit messages | I like small commits
Answer in German | Write comments in English
Never commit to main | Never commit secrets
Always run the tests | Always run the linter
Run make lint before pushing | Run make test before pushing
Run the tests before pushing | Run the tests after pulling
Ask Ben about billing | Ask Carla about search
Ask Ben about billing | Ask Carla about billing
Read docs/a.md first | Read docs/b.md for details
The cache is Redis | The cache is warm after a minute
The cache is Redis | A cache is better than a queue
The queue is SQS | The dead letter queue is RabbitMQ
The queue is SQS | The queue is empty at night
The database is Postgres | The database is 40 GB
The database is Postgres | The database is in Frankfurt
The database is Postgres | The test database is SQLite
The database of the shop is Postgres | The database of the blog is MySQL
The database is Postgres | The database is backed up to S3
The database is Postgres | The database driver is psycopg
The database is Postgres | A database is MySQL, Postgres or SQLite
The main region is eu-west-1 | The failover region is us-east-1
The primary key is id | The foreign key is user_id
The theme colour is blue | The accent colour is orange
The theme colour is blue | The button is green
Errors are red | Warnings are yellow
The admin role can delete | The editor role can write
The first column is the name | The second column is the date
The input is JSON | The output is CSV
The source is Kafka | The sink is Snowflake
The client sends XML | The server sends JSON
Read from the replica | Write to the primary
Wir deployen auf Heroku | Wir deployen freitags
Wir benutzen npm | Wir benutzen auch Docker
Wir benutzen Postgres in Produktion | Wir benutzen SQLite in Tests
Der Session-Store ist Redis | Die Warteschlange ist RabbitMQ
Wir benutzen npm | Vielleicht wechseln wir von npm zu pnpm
Wir benutzen npm | Sollen wir pnpm statt npm nehmen?
Wir benutzen npm | Wir werden von npm auf pnpm umsteigen
Nous utilisons npm | Nous utilisons aussi Docker
Le frontend est écrit en React | Le backend est écrit en Django
On déploie sur Heroku | On pourrait déployer sur Fly.io
La base de test est SQLite | La base de production est Postgres
Usamos npm | También usamos Docker
El frontend usa React | El backend usa Django
Usamos npm | Quizás cambiemos de npm a pnpm
セッションストアはRedisです | キューはRabbitMQです
フロントエンドはReactです | バックエンドはDjangoです
npmを使います | Dockerも使います
npmを使います | npmからpnpmに移行する予定です
会话存储是Redis | 队列是RabbitMQ
我们使用npm | 我们也使用Docker
测试环境使用SQLite | 生产环境使用Postgres
我们使用npm | 我们可能会改用pnpm
Our CI is Travis | Our CI is slow on Mondays
Our CI is Travis | CI minutes are billed to Buildkite
Passwords are hashed with bcrypt | Tokens are hashed with sha-256
Passwords are hashed with bcrypt | Passwords are hashed with a salt
The cron job runs every 10 minutes | The cleanup job runs every 5 minutes
The cron job runs every 10 minutes | The cron job takes 5 minutes
The free plan allows 3 projects | The pro plan allows 50 projects
We keep logs for 7 days | We keep backups for 30 days
We keep logs for 7 days | We keep logs in S3
The design lead is Petra | The design lead is out until Friday
Petra leads the design team | Jonas leads the platform team
Petra leads the design team | Petra also leads the research team
Dana approves releases | Dana doesn't approve expenses
Dana approves releases | Milo approves budgets
Dana approves releases | Milo approves releases when Dana is away
We ship releases from main | We cut hotfixes from stable
Fixtures live under tests/data | Snapshots live under tests/snap
The admin panel is served at /admin | The status page is served at /status
Builds run on Ubuntu 24.04 | Builds also run on macOS 14
Builds run on Ubuntu 24.04 | Nightly builds run on Debian
The warehouse is BigQuery | The warehouse is queried with dbt
The warehouse is BigQuery | Looker reads from the warehouse
Events are published to Kafka | Events are archived to S3
Events are published to Kafka | Events are published by the outbox worker
Events are published to Kafka | Audit events are published to Splunk
We use Kafka for events | We use Kafka for logs too
We use Kafka for events | We use Redis for locks
We use Kafka for events | We use Avro for event schemas
Use black for formatting | Use isort for imports
Use black for formatting | Use prettier for the frontend
Use black for formatting | Don't use black on generated files
Type checking is done with mypy | Linting is done with ruff
The container runtime is Docker | The container registry is Harbor
We provision with Ansible | We provision with Ansible and Terraform
We provision servers with Ansible | We provision clusters with Terraform
The coverage gate is 70% | Coverage is 83% today
The coverage gate is 70% | The coverage gate for the core is 90%
The queue timeout is 10 s | The lock timeout is 25 s
Release day is Thursday | Release notes are due Wednesday
Weekly report goes out on Monday | Monthly report goes out on the 1st
Sessions expire after 24 hours | Invites expire after 7 days
The mobile app is written in Swift | The watch app is written in Kotlin
The mobile app is written in Swift | The mobile app uses SQLite
The mobile app is written in Swift | The mobile app is tested with Appium
The client library is axios | The client library is open source
The client library is axios | The client library for Python is httpx
We render charts with d3 | We render tables with AG Grid
The test runner is vitest | The test runner is started with --watch
The admin UI uses Bootstrap | The public site uses Tailwind
The admin UI uses Bootstrap | The admin UI uses jQuery
The admin UI uses Bootstrap | Should the admin UI use Tailwind instead?
The importer reads from FTP | The exporter writes to S3
The API gateway is Kong | The API gateway is in the DMZ
The API gateway is Kong | The API gateway might become Traefik
Our error tracker is Sentry | Sentry is on version 24
Our error tracker is Sentry | Rollbar has a better UI than Sentry
The CDN is Cloudflare | DNS is Cloudflare
The CDN is Cloudflare | The CDN for images is imgix
Our analytics run on Mixpanel | Our feature flags run on LaunchDarkly
Our analytics run on Mixpanel | Our analytics were on Amplitude until 2022
We sign commits with GPG | We sign images with cosign
We sign commits with GPG | We encrypt backups with age
Use yarn | Use yarn workspaces
Use yarn | yarn.lock must be committed
The API returns snake_case | The events use camelCase
The default timeout is 5 s | For the search endpoint the timeout is 20 s
Orders are stored in Postgres | Orders are cached in Redis
Orders are stored in Postgres | Sessions are stored in Redis
Orders are stored in Postgres | Orders are exported to Snowflake
Customer data stays in the EU | Customer data is encrypted at rest
We have two environments: staging and production | We have one database per environment
Read .env.example first | Read CONTRIBUTING.md first
The login page is in src/login | The signup page is in src/signup
The login page is in src/login | The login page is in German
The login page is slow | The login page is fast on mobile
Ana prefers vim | Ben prefers emacs
Ana works on the parser | Ana works on the lexer
Ana is in Berlin | Ana is the tech lead
Ana is the tech lead | Ana is the release manager
The server runs nginx | The server runs Debian
The server runs nginx | The server runs fail2ban
The server runs on port 80 | The server runs on Debian
The bot is called Herbie | The bot is written in Go
Tag releases with v1.2.3 | Tag images with the commit hash
Run pytest before committing | Run mypy before committing
Install with pip | Test with pytest
Deploy with kamal | Deploy with care on Fridays
Deploy with kamal | Roll back with kamal rollback
Deploy to staging first | Deploy to production after the review
The README says to use npm | We use pnpm
We evaluated MongoDB and chose Postgres | We use MongoDB for the logs
We use Postgres 15 in production | We use Postgres 16 in CI
Wir deployen mit Kamal | Wir testen mit pytest
Die API läuft auf Port 8080 | Der Worker läuft auf Port 9090
Nous utilisons Redis pour le cache | Nous utilisons Postgres pour les commandes
Usamos Redis para la caché | Usamos Postgres para los pedidos
本番ではPostgresを使います | テストではSQLiteを使います
生产用Postgres | 测试用SQLite
Primary datastore: MySQL 8 | Secondary datastore: PostgreSQL 16
Primary datastore: MySQL 8 | Analytics datastore: ClickHouse
Maria owns the checkout service | Tomas owns the cart service
Maria owns the checkout service | Tomas contributes to the checkout service
Maria owns the checkout service | Maria owns the cart service
Releases are cut from main | Releases are signed by Maria
Prod runs Postgres 14 | Staging runs Postgres 16
Prod runs Postgres 14 | Prod runs Redis 7
Prod runs Postgres 14 | Prod runs on AWS
Prod runs Postgres 14 | Postgres 16 is out
The app deploys to Heroku | The docs deploy to Netlify
The app deploys to Heroku | The app talks to Stripe
We're on Heroku | We're on call on weekends
We're on Heroku | We're hiring
Deployment happens via Jenkins | Deployment takes 10 minutes
Redis runs on port 6379 | Postgres runs on port 5432
Redis runs on port 6379 | Redis runs in Docker
Redis runs on port 6379 | Redis runs on host cache-1
The dev server uses port 3000 | The dev server uses HTTPS
The dev server uses port 3000 | Storybook uses port 6006
Standup is at 10am | Standup is in the blue room
Standup is at 10am | Standup is optional on Fridays
Backups run nightly at 1am | Log rotation runs nightly at 3am
Backups run weekly | Full backups run monthly
We deploy every Friday | We never deploy on holidays
We deploy on Tuesday | We plan sprints on Thursday
Branch names use underscores | Tag names use hyphens
Component files use PascalCase | Hook files use camelCase
Env vars are prefixed with APP_ | Feature flags are prefixed with FF_
Migrations live in db/migrate | Seeds live in db/seeds
The CI image is node:20 | The prod image is distroless
Terraform version is 1.7 | Ansible version is 2.16
Max connections is 100 | Max retries is 5
The JWT expires after 15 minutes | The refresh token expires after 30 days
Alerts go to #ops | Deploy notices go to #releases
Alerts go to #ops | Alerts go to PagerDuty too
Alerts go to #ops | Critical alerts go to PagerDuty
The security contact is Sam | The billing contact is Priya
Sam maintains the SDK | Priya maintains the CLI
Sam and Priya maintain the SDK | Sam is on leave
Sam reviews all migrations | Priya reviews API changes
We write CSS with Sass | We write tests with Vitest
Forms use Formik | Tables use TanStack Table
Forms use Formik | Forms use Zod for validation
Forms use Formik | Forms use optimistic updates
We mock HTTP with msw | We mock time with sinon
Use date-fns for dates | Use zod for validation
Log format is JSON | Log level is debug
UI texts are in German | Code comments are in English
UI texts are in German | UI texts are in locales/de.json
Uploads are stored in S3 | Thumbnails are stored in R2
Uploads are stored in S3 | Uploads are scanned with ClamAV
Uploads are stored in S3 | Uploads are stored in the region eu-west-1
The queue is Sidekiq | The queue is monitored with Grafana
Docs are in Notion | Specs are in Google Docs
Docs are in Notion | Docs are in English
Designs are in Figma | Icons are in Iconify
Our wiki is Notion | Our wiki is a mess
Our wiki is Notion | If Notion is down, our wiki is unavailable
We use Notion | We use Figma
We use Notion for docs | We use Linear for tickets
We use Datadog for metrics | We use Sentry for errors
We use ESLint for linting | We use Prettier for formatting
We use ESLint | We use ESLint with the Airbnb config
Use npm ci in CI | Use npm install locally
Use pnpm in the monorepo | Use npm in the docs repo
Use feature flags for risky changes | Use migrations for schema changes
The linter flags unused imports | The linter flags console.log
Tests need Docker | Tests need a license key
Builds need Node 20 | Builds need 4 GB of memory
The user table has 12 columns | The order table has 20 columns
The user table has 12 columns | The user table has 3 indexes
The worker retries 3 times | The worker waits 5 seconds
The worker retries 3 times | The client retries 5 times
Latency is 200 ms at p50 | Latency is 900 ms at p99
Team Blue uses Kotlin | Team Red uses Java
Acme uses our v1 API | Globex uses our v2 API
Issue 12 is about login | Issue 13 is about logout
PR 41 adds caching | PR 42 adds paging
Sprint 5 is about search | Sprint 6 is about billing
The bug is in the cart | The bug is in the coupon code
I think the db is Postgres | Someone said the db is MySQL
In version 2 the default is on | In version 1 the default was off
Before the migration we used MySQL | We use Postgres
Instead of mocking, use fakes | Use mocks for the clock
Rather than polling, use webhooks | Polling runs every 5 minutes
Don't use any | Use unknown
Never log emails | Never log phone numbers
Always use UTC | Always use ISO dates
Ask before deleting files | Ask before pushing
Wir hosten bei AWS | Wir hosten bei AWS in Frankfurt
Tests laufen mit Jest | E2E-Tests laufen mit Cypress
Les tests utilisent Jest | Les tests sont lents
Los tests usan Jest | Los tests e2e usan Cypress
パッケージマネージャーはpnpmです | リンターはESLintです
包管理器是pnpm | 测试框架是Jest
The checkout API talks to Postgres 13. | The reporting API talks to Postgres 16 now.
The checkout API talks to Postgres 13. | checkout API latency went from 80 to 40 ms
We ship the desktop client through Sparkle. | The Android client ships through Play now
Leonie owns the tax module. | Leonie now owns the invoice module too
Leonie owns the tax module. | while Leonie is away Bruno answers questions about the tax module
Our VPN is OpenVPN | Some people use WireGuard for their home VPN
Releases get tagged as release-<date>. | Docker images are tagged with the git sha now
We host our packages on Artifactory | Artifactory was upgraded to 7.77
We host our packages on Artifactory | We no longer host docker images on Artifactory
The game server is written in Java. | The matchmaking server was rewritten from Java to Go
The game server is written in Java. | the game server has moved to a new rack
Payroll export runs on the 25th. | In December payroll export runs on the 20th
The weekly sync is Tuesday 3pm | The weekly sync with sales is Thursday
For monitoring we rely on Nagios | We removed the Nagios plugin for disk space
We store vectors in Pinecone | We considered dropping Pinecone
We store vectors in Pinecone | We dropped Pinecone's beta index
the ML models are trained with TensorFlow | TensorFlow was removed from the web image
Translations are managed in Crowdin | Crowdin changed its pricing
Local dev uses docker-compose | CI doesn't use docker-compose anymore
The login service listens on 7001. | login service metrics are on 7002 now
Default page size is 25. | page size for exports is 500
Our staging domain is stg.example.net | the demo domain changed from demo.example.net to show.example.net
PDFs get generated by wkhtmltopdf | Invoices as HTML are generated with Jinja now
The team lead for mobile is Ravi | The team lead for web is Mei now
The frontend bundle is served from S3. | User uploads are no longer served from S3
We run load tests using JMeter | unit tests run with jest from now on
Test coverage is reported to Coveralls | Test results are reported to Slack now
API docs are written in RAML | API docs were moved to the docs repo
We use Kafka for clickstream | Kafka is now on version 3.7
We use Kafka for clickstream | The clickstream topic was renamed from clicks to events
Backups go to Glacier | we no longer keep backups of the dev database
The on-call phone is with Tom | Tom no longer works on Fridays
The search box uses debounce of 300 ms | the search results page no longer uses infinite scroll
We write ADRs in docs/adr | We stopped writing RFCs
Use argparse for CLIs | The deploy CLI switched from argparse to click
Customer data is kept 90 days | audit logs are kept 400 days now
Node 20 is required | Node 18 is no longer tested on Windows
Wir speichern Bilder bei Cloudinary | Videos liegen nicht mehr bei Cloudinary
Das Monitoring läuft über Zabbix | Das Alerting läuft jetzt über Opsgenie
On envoie les mails avec Mailgun | On n'envoie plus de SMS
日志存在Elasticsearch里 | 指标现在存在Prometheus里
Production runs on AWS in Frankfurt. | Staging runs on Hetzner.
The backend is written in Go. | frontend is TypeScript with Svelte
We use Sentry for crash reports. | We've added Grafana Faro as well so we can look at web vitals.
All services log in JSON. | the legacy fax gateway logs plain text, that's the one exception
Tests run with pytest. | integration tests under tests/e2e need docker compose up first
We deploy with Argo CD. | Before Argo CD we used to deploy using a pile of Ansible playbooks.
The search index is Elasticsearch. | Next year we might move the search index to OpenSearch, nothing decided.
main database: postgres | should we move the main database to mysql?
The mobile app is built with React Native. | If Marta's spike goes well the mobile app will be rewritten in Flutter.
Code reviews need two approvals. | Jonas said in standup 'one approval is plenty', I don't agree with him
Our queue is RabbitMQ. | Kafka would be faster than our RabbitMQ but it's also a lot more to run.
our team plans in Linear | the platform team plans in Jira
In packages/ui we use tabs. | in packages/server it's two spaces
Secrets come from Vault. | Secrets come from Vault at pod start through the agent sidecar, mounted under /vault/secrets.
The game runs at 60 fps on console. | On Switch handheld mode the particle count is halved to hold 60.
Releases are cut on Wednesdays. | This week the release was cut on Friday because of the outage.
We use conventional commits. | commit subjects should stay under 70 chars
Redis caches the product pages. | Sessions live in Memcached.
The board uses an ESP32-S3. | the remote control has an nRF52840
Pavel owns the payments module. | Ingrid covers for Pavel while he's on parental leave in May
Terraform manages all cloud resources. | DNS zones are handled in Terraform too, in infra/dns.
eslint must pass before merge | I'd love to switch from eslint to oxlint one day
Reports are generated with Metabase. | Someone on reddit claims Superset replaced Metabase everywhere, lol.
The API rate limit is 100 requests a minute. | Partners with a gold contract get 500 requests per minute.
Bilder liegen im S3-Bucket in Irland. | Videos liegen bei Bunny, nicht in S3.
Le front est déployé sur Vercel. | Le blog est déployé sur Clever Cloud.
Usamos Kotlin en la app de Android. | En la app de iOS usamos Swift.
数据仓库用的是 ClickHouse。 | 我们在考虑要不要把数据仓库换成 Doris，还没定。
A documentação fica no Notion. | Os diagramas ficam no Miro e são linkados a partir do Notion.
We build with Gradle. | Could you check whether Bazel would speed up our Gradle builds?
The CLI supports Linux and macOS. | It also works on Windows under WSL, though nobody tests that.
Feature flags are in LaunchDarkly. | flag names in LaunchDarkly start with the squad name
Node version is 20, pinned in .nvmrc | the lambda in tools/thumbs still has to use node 18
Dark mode is the default theme. | I personally switched my editor from dark to light mode
Daily standup is at 9:30. | The retro moved from Thursday to Monday.
We no longer support Internet Explorer. | Old Edge isn't supported either.
The billing worker is written in Rust. | The billing worker was ported from Python to Rust two years ago.
Customer emails are sent by Postmark. | if Postmark is down we fail over to SES
Do not touch the generated files in gen/. | Generated files in gen/ are made by buf, from proto/.
Never force push to main. | force pushing to your own branch is fine, I do it all the time
Deploy on Fridays. | We no longer deploy to heroku on Fridays
The staging db is heron-6 | The staging URL changed to https://stage.example.org
We test on Python 3.12 | We no longer support Python 3.9.
"""
)
