/** Checks at startup that PostgreSQL allows as many connections as this server may open (max_connections). */
import { sql } from 'kysely';
import { setting } from '#server/platform/configuration/setting.ts';
import type { OpenDatabase } from './engine.ts';
import { jobConnections } from './postgres.ts';

/**
 * Returns a warning for the administrator if the connection pools of this start exceed the server's limit. Returns
 * undefined on SQLite and behind a pooler, which has its own limit.
 */
export async function connectionsFault({ db, engine }: OpenDatabase): Promise<string | undefined> {
  if (engine !== 'postgres' || setting('DATABASE_POOLER')) return undefined;
  const { rows } = await sql<{ most: number; reserved: number; own: number }>`
    select current_setting('max_connections')::integer as most,
      current_setting('superuser_reserved_connections')::integer as reserved,
      (select rolconnlimit from pg_roles where rolname = current_user) as own`.execute(db);
  const [limits] = rows;
  if (!limits) return undefined;
  const offered = limits.own >= 0 ? Math.min(limits.own, limits.most - limits.reserved) : limits.most - limits.reserved;
  const [processes, pool] = [setting('WEB_CONCURRENCY'), setting('DATABASE_POOL')];
  const wanted = processes * (pool + jobConnections);
  if (wanted <= offered) return undefined;
  const fitting = Math.floor(offered / processes) - jobConnections;
  const remedy =
    fitting >= 1
      ? `DATABASE_POOL=${fitting} fits, or max_connections of PostgreSQL is raised`
      : 'WEB_CONCURRENCY has to be smaller, or max_connections of PostgreSQL raised';
  return `The database takes ${offered} connections and this start may want ${wanted}: DATABASE_POOL=${pool} and ${jobConnections} for other work in each of ${processes === 1 ? 'its one process' : `${processes} processes`}. Under load people would be refused. ${remedy}.`;
}
