import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  /** Value for DATABASE_URL, or for a connection pool. */
  url: string;
  /** Drops the database; open connections are closed. */
  drop(): Promise<void>;
}

/** Initial content of a database. It is filled once per run and then copied, so it must not depend on the test. */
export interface Template {
  /** Name in lower-case letters, digits and _. */
  name: string;
  /** Fills the database. It must close its connections. */
  fill(url: string): Promise<void>;
}

/**
 * Creates a PostgreSQL database, empty or copied from the template. Undefined if there is no PostgreSQL server; the
 * output of the run says at its top why. Call it in beforeAll, and `drop` in afterAll.
 */
export async function createDatabase(template?: Template): Promise<TestDatabase | undefined> {
  const server = inject('postgres');
  if (!server) return undefined;
  const source = template ? `${server.prefix}template_${template.name}` : 'template0';
  const name = `${server.prefix}${randomUUID().slice(0, 8)}`;
  await asAdministrator(server.url, async (client) => {
    if (template) await fillOnce(client, server.url, source, template);
    await client.query(`create database ${name} template ${source}${await byFiles(client)}`);
    // JIT compilation costs more than it saves, because the tables are small, even with the statistics of a large
    // school.
    await client.query(`alter database ${name} set jit = off`);
  });
  const drop = () =>
    asAdministrator(server.url, async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
    });
  return { url: urlOf(server.url, name), drop };
}

/** Copying the files of a template costs less than half of logging its pages. Before version 15 it is the only way. */
async function byFiles(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  return Number(rows[0]?.server_version_num) >= 150_000 ? ' strategy file_copy' : '';
}

/** One test file fills the template, while the others wait for the lock. The lock ends with the connection. */
async function fillOnce(client: Client, serverUrl: string, source: string, template: Template): Promise<void> {
  await client.query('select pg_advisory_lock(hashtext($1))', [source]);
  const found = await client.query('select 1 from pg_database where datname = $1', [source]);
  if (found.rowCount === 0) {
    const draft = `${source}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} template template0`);
    await template.fill(urlOf(serverUrl, draft));
    await client.query(`alter database ${draft} rename to ${source}`);
  }
  await client.query('select pg_advisory_unlock(hashtext($1))', [source]);
}

/** Drops every database with this prefix, because interrupted test files leave some. */
export async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  await asAdministrator(serverUrl, async (client) => {
    const found = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of found.rows) await client.query(`drop database if exists ${datname} with (force)`);
  });
}

async function asAdministrator(url: string, task: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await task(client);
  } finally {
    await client.end();
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
