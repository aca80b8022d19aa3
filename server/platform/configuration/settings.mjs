// Declares every setting (environment variable) once: type, default, validation, documentation. Plain JavaScript for
// any Node 20 or later, because `npm start` reads it before packages are installed.
import {
  address,
  addressTemplate,
  databaseFault,
  flag,
  hostOf,
  hostsFault,
  isNetwork,
  oneOf,
  replicaFault,
  secretsIn,
  shortestPassphrase,
  shortestSecret,
  text,
  wholeNumber,
  wordsOf,
} from './setting-types.mjs';

const none = { fallback: '', instead: 'none' };

export const settings = {
  PORT: wholeNumber(
    {
      fallback: '3000',
      instead: '3000; `npm run api` 3001',
      means:
        'the port to listen on; 0 takes any. If a given port is taken, the start ends; without one `npm start` takes the next free port',
    },
    { from: 0, to: 65_535 },
  ),
  HOST: text({
    fallback: '',
    instead: 'all addresses',
    means: 'the address to listen on',
    fault: (value) => (/^\S+$/.test(value) ? undefined : 'is to be one address'),
  }),
  WEB_CONCURRENCY: wholeNumber(
    {
      fallback: '1',
      means:
        'the number of processes of one `npm start`, on one port: one per spare processor. See [several processes](../deploy/processes.md)',
    },
    { from: 1, to: 64 },
  ),
  VAR_DIR: text({
    fallback: 'var',
    means:
      'the data folder: the database (`school.db`), uploads (`files`), the session secret (`session-secret`), the setup address of an empty school (`setup-address`), backups without a folder of their own (`backups`), and a compile cache (`compiled`), which may be deleted',
  }),
  DATABASE_URL: text({
    fallback: '',
    instead: 'SQLite in the data folder',
    means:
      'a `postgres://` address. It may name several servers (`postgres://a,b/school`): the one that accepts writes is used. No demo school is made there unasked',
    isSecret: true,
    fault: databaseFault,
  }),
  DATABASE_REPLICA_URL: text({
    ...none,
    means:
      'a streaming replica of `DATABASE_URL`; exports, statistics, analysis and history read there while it keeps up. See [several processes](../deploy/processes.md)',
    isSecret: true,
    fault: replicaFault,
  }),
  DATABASE_POOL: wholeNumber(
    {
      fallback: '10',
      means: 'connections to PostgreSQL for the requests of one process; its background jobs have four more',
    },
    { from: 1, to: 500 },
  ),
  DATABASE_WAIT: wholeNumber(
    {
      fallback: '3000',
      means: 'milliseconds that a request waits for a connection, before it answers that the service is away',
    },
    { from: 100, to: 60_000 },
  ),
  DATABASE_STATEMENT_TIMEOUT: wholeNumber(
    {
      fallback: '3500',
      means: 'timeout of one statement of a request on PostgreSQL, in milliseconds',
    },
    { from: 100, to: 60_000 },
  ),
  DATABASE_POOLER: flag({
    fallback: '0',
    means:
      '`1` if `DATABASE_URL` is pgbouncer or similar in transaction mode: timeouts are set in each transaction, and no statement is prepared by name',
  }),
  DATABASE_DIRECT_URL: text({
    ...none,
    means: 'PostgreSQL itself behind such a pooler, for backups and restore points. Without it there are none',
    isSecret: true,
    fault: databaseFault,
  }),
  DEMO: flag({
    fallback: '1',
    means:
      '`0`: a new SQLite database starts empty; the setup address is printed in a terminal, and written into `setup-address` of the data folder elsewhere',
  }),
  SESSION_SECRET: {
    .../** @type {import('./setting-types.mjs').Setting<string[]>} */ ({
      fallback: '',
      instead: 'made once, kept in the data folder (mode 600)',
      means: `signs the session cookie; the same on every machine, at least ${shortestSecret} characters. Two, separated by a space: the first signs, the second is still accepted, so that it can be rotated without signing everybody out`,
      isSecret: true,
      read: secretsIn,
      fault: (value) => {
        const secrets = secretsIn(value);
        if (secrets.length === 0) return 'is empty: leave it out, and one is made';
        if (secrets.some(({ length }) => length < shortestSecret))
          return `is too short: ${shortestSecret} characters at least`;
        return secrets.length > 2 ? 'is to be one secret, or two parted by a blank' : undefined;
      },
    }),
  },
  API_BASE_URL: address({
    fallback: '',
    instead: 'in process',
    means: 'an API on another machine, which the screens use instead of their own',
  }),
  API_TIMEOUT: wholeNumber(
    {
      fallback: '10000',
      means: 'timeout of that API, in milliseconds; uploads have at least ten minutes',
    },
    { from: 1, to: 600_000 },
  ),
  TRUST_PROXY: {
    .../** @type {import('./setting-types.mjs').Setting<number | string[]>} */ ({
      fallback: '0',
      means:
        "the number of reverse proxies in a row, or their addresses and networks (`10.0.0.0/8 192.168.1.5`). Their `X-Forwarded-For`, `-Proto` and `-Host` are believed, and nobody else's; see [deploy](../deploy/README.md)",
      read: (value) => (/^\d$/.test(value) ? Number(value) : wordsOf(value)),
      fault: (value) =>
        /^\d$/.test(value) || (wordsOf(value).length > 0 && wordsOf(value).every(isNetwork))
          ? undefined
          : 'is to be how many proxies stand in front (0 to 9), or their addresses, as 10.0.0.0/8, parted by blanks',
    }),
  },
  DRAIN_SECONDS: wholeNumber(
    {
      fallback: '0',
      means:
        'seconds for which a stopping process serves on while `/readyz` answers 503, so that proxies send requests elsewhere',
    },
    { from: 0, to: 60 },
  ),
  HSTS_MAX_AGE: wholeNumber(
    {
      fallback: '604800',
      means:
        'seconds for which browsers keep to HTTPS (`Strict-Transport-Security`); `0` takes it back. Never sent over plain HTTP',
    },
    { from: 0, to: 63_072_000 },
  ),
  HSTS_SUBDOMAINS: flag({
    fallback: '0',
    means: '`1`: for all subdomains too; only if all of them have HTTPS',
  }),
  S3_BUCKET: text({
    fallback: '',
    instead: 'a folder in the data folder',
    means: 'the bucket that keeps uploaded files',
  }),
  S3_ENDPOINT: address({ fallback: '', instead: "Amazon's", means: "the address of the bucket's service" }),
  S3_REGION: text({ fallback: 'us-east-1', means: 'the region of the bucket' }),
  S3_ACCESS_KEY: text({
    fallback: '',
    instead: 'that of the machine',
    means: 'access key of the bucket, with `S3_SECRET_KEY`',
  }),
  S3_SECRET_KEY: text({
    fallback: '',
    instead: 'that of the machine',
    means: 'secret key of the bucket',
    isSecret: true,
  }),
  LIVE_URL: addressTemplate({ ...none, means: "template of a live room's address, see below" }),
  LIVE_PLAYBACK_URL: addressTemplate({ ...none, means: "template of a playback's address, see below" }),
  BBB_URL: address({
    ...none,
    means:
      'a BigBlueButton server, used without a template: rooms are created when first entered, people join by signed links',
  }),
  BBB_SECRET: text({ ...none, means: 'its secret', isSecret: true }),
  OIDC_CLIENT_SECRET: text({
    ...none,
    means: 'the secret of OpenID Connect (统一登录); wins over the screen ([identity](identity.md))',
    isSecret: true,
  }),
  WECOM_SECRET: text({ ...none, means: 'the same for WeCom (企业微信)', isSecret: true }),
  DINGTALK_SECRET: text({ ...none, means: 'the same for DingTalk (钉钉)', isSecret: true }),
  FEISHU_SECRET: text({ ...none, means: 'the same for Feishu (飞书)', isSecret: true }),
  IMPORT_DIR: text({ ...none, means: 'a folder whose files are imported, see below' }),
  BACKUP_DIR: text({
    ...none,
    means: 'the folder of scheduled backups, see [backup.md](backup.md)',
  }),
  BACKUP_EVERY: text({
    fallback: '03:30',
    means: "their schedule: a time of day (`03:30`, the school's), or an interval in hours (`6`)",
    fault: (value) =>
      /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value) ||
      (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 168)
        ? undefined
        : 'is to be a time of day such as 03:30, or a number of hours from 1 to 168',
  }),
  BACKUP_KEEP: text({
    fallback: '7,4,12',
    means: 'the number of days, weeks and months of which the last backup is kept',
    fault: (value) =>
      /^[1-9]\d{0,2},\d{1,3},\d{1,3}$/.test(value)
        ? undefined
        : 'is to be three numbers parted by commas, of days (1 at least), weeks and months, such as 7,4,12',
  }),
  BACKUP_RECIPIENT: text({
    ...none,
    means: 'the public key (age, `age1…`) that encrypts backups',
    fault: (value) =>
      /^age1[a-z0-9]{20,}$/.test(value) ? undefined : 'is to be a public key of age, which begins with age1',
  }),
  BACKUP_IDENTITY: text({
    ...none,
    means: 'its private key (`AGE-SECRET-KEY-…`), which decrypts them; better kept elsewhere until a restore',
    isSecret: true,
    fault: (value) =>
      /^AGE-SECRET-KEY-[A-Z0-9-]{20,}$/.test(value)
        ? undefined
        : 'is to be a private key of age, which begins with AGE-SECRET-KEY-',
  }),
  BACKUP_PASSPHRASE: text({
    ...none,
    means: `encrypts and decrypts backups if there is no key; at least ${shortestPassphrase} characters`,
    isSecret: true,
    fault: (value) =>
      value.trim().length >= shortestPassphrase ? undefined : `is too short: ${shortestPassphrase} characters at least`,
  }),
  RESTORE_POINTS: flag({
    fallback: '1',
    means:
      '`0`: no copy of the database before it is migrated or replaced. Copies go to `BACKUP_DIR`, or `backups` in the data folder',
  }),
  OUTGOING_HOSTS: {
    .../** @type {import('./setting-types.mjs').Setting<string[]>} */ ({
      ...none,
      means:
        'inner hosts that the product may call, separated by spaces, with or without a port (`sms.lan 10.0.0.5:8080`): receivers of text messages and events, BigBlueButton, identity providers. Other loopback, private and link-local addresses are refused, in any spelling and also behind a name. Addresses in the environment need no mention',
      read: (value) => wordsOf(value).map(hostOf),
      fault: hostsFault,
    }),
  },
  SMS_WEBHOOK_URL: address({
    fallback: '',
    instead: 'nowhere, see below',
    means:
      "the receiver of text messages: a POST of `{id, mobile, content}` as JSON, with the id as `Idempotency-Key`; any 2xx is the receipt. The content begins with the school's name, as carriers require: `【育才中学】…`",
    isSecret: true,
  }),
  LEARN_TOKEN: text({
    fallback: '',
    instead: 'none; a demo school has one of its own',
    means:
      "the application token (`app_…`, see below) of the learners' page at `/learn`; `0`: no such page, in a demo school either. It decides over the switch 学员端 of 设置",
    isSecret: true,
    fault: (value) =>
      value === '0' || /^app_[\w-]{20,100}$/.test(value)
        ? undefined
        : 'is no token of an application: one begins with app_ and is made by administrators under 设置 or by npm run staff -- token add NAME; 0 is for no page of learners',
  }),
  LOG_LEVEL: oneOf({ fallback: 'info', means: 'a level of pino, see below' }, [
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
    'silent',
  ]),
  SLOW_REQUEST: wholeNumber(
    {
      fallback: '3000',
      means: 'milliseconds from which a request is logged as a warning; 0: never',
    },
    { from: 0, to: 600_000 },
  ),
  SLOW_STATEMENT: wholeNumber(
    {
      fallback: '1000',
      means: 'the same for a database statement, shown without its values',
    },
    { from: 0, to: 600_000 },
  ),
  METRICS_PORT: wholeNumber(
    {
      ...none,
      means:
        "a port for `/metrics` in Prometheus' text format; let only Prometheus reach it. Without this and `METRICS_TOKEN` nothing is measured",
    },
    { from: 1, to: 65_535 },
  ),
  METRICS_TOKEN: text({
    ...none,
    means: `bearer token for \`/metrics\` on the usual port, at least ${shortestSecret} characters; with both, the other port asks for it too`,
    isSecret: true,
    fault: (value) =>
      new RegExp(`^\\S{${shortestSecret},}$`).test(value)
        ? undefined
        : `is to be ${shortestSecret} characters at least, none of them a blank`,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: address({
    ...none,
    means:
      'the receiver of traces by OTLP over HTTP (`/v1/traces` below it): a span per request, with its statements as children. OpenTelemetry reads its other variables (`OTEL_…`) itself',
  }),
  OTEL_SERVICE_NAME: text({ fallback: 'lectern', means: 'the name of this server in traces' }),
  NODE_ENV: oneOf(
    {
      fallback: 'production',
      means: 'set by the commands; outside of `production` the API checks every answer against its declaration',
    },
    ['production', 'development', 'test'],
  ),
  CONFIG_FILE: text({
    ...none,
    means: 'a file of lines `NAME=value`; the environment wins over it',
  }),
};

/** @typedef {keyof typeof settings} SettingName */

export const settingNames = /** @type {SettingName[]} */ (Object.keys(settings));

/** @param {string} name @returns {name is SettingName} */
export const isSetting = (name) => Object.hasOwn(settings, name);

/**
 * Rules over two settings. Each returns its fault, or undefined.
 *
 * @type {((given: (name: SettingName) => string) => string | undefined)[]}
 */
export const rules = [
  (given) =>
    given('DATABASE_URL') && given('DEMO') === '1'
      ? 'DEMO=1 is for SQLite alone: no demo school is served from a database that somebody named'
      : undefined,
  (given) =>
    given('DATABASE_REPLICA_URL') && !given('DATABASE_URL')
      ? 'DATABASE_REPLICA_URL is of a PostgreSQL that DATABASE_URL names'
      : undefined,
  (given) =>
    given('DATABASE_POOLER') && !given('DATABASE_URL')
      ? 'DATABASE_POOLER is of a PostgreSQL that DATABASE_URL names'
      : undefined,
  (given) =>
    given('DATABASE_DIRECT_URL') && !given('DATABASE_POOLER')
      ? 'DATABASE_DIRECT_URL is of a PostgreSQL behind a pooler: give DATABASE_POOLER=1, or DATABASE_URL alone'
      : undefined,
  (given) =>
    Boolean(given('S3_ACCESS_KEY')) === Boolean(given('S3_SECRET_KEY'))
      ? undefined
      : 'S3_ACCESS_KEY and S3_SECRET_KEY are given both, or neither',
  (given) => {
    // Each process has a metrics port of its own: 9100, 9101, …
    const after = Number(given('PORT')) - Number(given('METRICS_PORT'));
    return given('PORT') && given('METRICS_PORT') && after >= 0 && after < Number(given('WEB_CONCURRENCY') || 1)
      ? 'METRICS_PORT and PORT are the same: each is to have one of its own'
      : undefined;
  },
  (given) => (given('S3_ENDPOINT') && !given('S3_BUCKET') ? 'S3_ENDPOINT is given without S3_BUCKET' : undefined),
  (given) =>
    given('BACKUP_RECIPIENT') && given('BACKUP_PASSPHRASE')
      ? 'BACKUP_RECIPIENT and BACKUP_PASSPHRASE are both given: a backup is encrypted in one way'
      : undefined,
  (given) =>
    Boolean(given('BBB_URL')) === Boolean(given('BBB_SECRET'))
      ? undefined
      : 'BBB_URL and BBB_SECRET are given both, or neither',
];
