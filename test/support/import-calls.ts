/** Imports as an administrator asks for them, and as they stand then. */
import { expect } from 'vitest';
import type { smallUpload } from './imports.ts';
import type { Answer, TestSchool } from './school.ts';

export type Records = ReturnType<typeof smallUpload>;

export const said = ({ status, body }: Answer) => [status, body.msg];

/** Records where one has other fields. */
export const changed = (records: Records, sourceId: string, fields: object): Records =>
  records.map((one) => (one.sourceId === sourceId ? { ...one, fields: { ...one.fields, ...fields } } : one));

export const without = (records: Records, ...ids: string[]): Records =>
  records.filter(({ sourceId }) => !ids.includes(sourceId));

export function importCalls(school: () => TestSchool) {
  const admin = () => school().as('admin');
  const shown = async (id: number) => (await admin().get(`import/${id}`)).body.data;

  /** A busy machine answers before a job is done. */
  const done = async (id: number): Promise<number> => {
    await expect.poll(async () => (await shown(id)).job).toBe('');
    return id;
  };

  /** What is typed to go on with whatever it is held for. */
  const typed = async (id: number): Promise<Record<string, number>> => {
    const holds: { kind: string; reason: string; number: number }[] = (await shown(id)).holds;
    return Object.fromEntries(holds.map(({ kind, reason, number }) => [`${kind}.${reason}`, number]));
  };

  /** Confirms whatever it is held for. */
  const apply = async (id: number, more: object = {}): Promise<Answer> => {
    const answer = await admin().post(`import/${id}/apply`, { confirmed: await typed(id), ...more });
    await done(id);
    return answer;
  };

  return {
    admin,
    shown,
    done,
    apply,
    /** Sends records of a source, and answers the import's number once they are checked. */
    async send(source: string, records: Records, mode: 'bulk' | 'delta' = 'bulk', kinds: readonly string[] = []) {
      const answer = await admin().post('import', { source, mode, kinds, records });
      expect(said(answer)).toEqual([200, '已提交']);
      return done(answer.body.data.id as number);
    },
    /** As a file, whatever comes of it. */
    async sendFile(source: string, name: string, content: string | Uint8Array): Promise<Answer> {
      const form = new FormData();
      form.set('source', source);
      form.set('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
      const answer = await admin().post('import/upload', form);
      if (answer.status === 200) await done(answer.body.data.id);
      return answer;
    },
    rows: async (id: number, query = '') => (await admin().get(`import/${id}/rows?limit=500${query}`)).body.data.list,
    /** By kind, how many of each verdict. */
    async countsOf(id: number): Promise<Record<string, number[]>> {
      const { kinds } = await shown(id);
      return Object.fromEntries(kinds.map(({ kind, counts }: { kind: string; counts: number[] }) => [kind, counts]));
    },
    async applied(id: number): Promise<void> {
      expect(said(await apply(id))).toEqual([200, '已导入']);
      expect((await shown(id)).state).toBe('applied');
    },
    /** Answers how much stayed as it was. */
    async undone(id: number): Promise<number> {
      expect(said(await admin().post(`import/${id}/undo`))).toEqual([200, '已撤销']);
      const { state, stayed } = await shown(await done(id));
      expect(state).toBe('undone');
      return stayed;
    },
    /** Which record the latest source that named it so means. */
    async idOf(kind: string, sourceId: string): Promise<number> {
      const { record } = await school()
        .database.db.selectFrom('external_id')
        .select('record')
        .where('kind', '=', kind)
        .where('sourced_id', '=', sourceId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      return Number(record);
    },
  };
}
