/**
 * Reads a list of the public calls page by page until its end. An application that stores the rows would not reread the
 * list, but continue from the stored `since`.
 */
import type * as v from 'valibot';
import type { LearnerClient } from './client.server.ts';

/** Maximum number of pages read of one list. */
const maxPages = 10;

interface ChangedRows<Row> {
  list: Row[];
  since: string;
  more: 0 | 1;
}

export async function allRows<Row>(
  client: LearnerClient,
  path: string,
  answer: v.GenericSchema<unknown, ChangedRows<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let since = '';
  for (let page = 0; page < maxPages; page += 1) {
    const joint = path.includes('?') ? '&' : '?';
    const found = await client.get(`${path}${joint}limit=200${since && `&since=${since}`}`, answer);
    rows.push(...found.list);
    if (found.more === 0) break;
    since = found.since;
  }
  return rows;
}
