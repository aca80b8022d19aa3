/** Runs imports through the administrators' calls. */
import { expect } from 'vitest';
import type { smallUpload } from './imports.ts';
import type { Answer, TestSchool } from './school.ts';

export type Records = ReturnType<typeof smallUpload>;

export const outcomeOf = ({ status, body }: Answer) => [status, body.msg];

/** Returns the records with these fields changed in one of them. */
export const withFields = (records: Records, sourceId: string, fields: object): Records =>
  records.map((one) => (one.sourceId === sourceId ? { ...one, fields: { ...one.fields, ...fields } } : one));

export const withoutRecords = (records: Records, ...ids: string[]): Records =>
  records.filter(({ sourceId }) => !ids.includes(sourceId));

export function importCalls(school: () => TestSchool) {
  const admin = () => school().as('admin');
  const show = async (id: number) => (await admin().get(`import/${id}`)).body.data;

  /** On a busy machine the call may respond before the job is done. */
  const waitForJob = async (id: number): Promise<number> => {
    await expect.poll(async () => (await show(id)).job).toBe('');
    return id;
  };

  /** Returns the numbers that a user must type to confirm every hold of an import. */
  const confirmations = async (id: number): Promise<Record<string, number>> => {
    const holds: { kind: string; reason: string; number: number }[] = (await show(id)).holds;
    return Object.fromEntries(holds.map(({ kind, reason, number }) => [`${kind}.${reason}`, number]));
  };

  /** Applies an import and confirms all of its holds. */
  const apply = async (id: number, more: object = {}): Promise<Answer> => {
    const answer = await admin().post(`import/${id}/apply`, { confirmed: await confirmations(id), ...more });
    await waitForJob(id);
    return answer;
  };

  return {
    admin,
    show,
    waitForJob,
    apply,
    /** Sends records of a source. Returns the number of the import once it is checked. */
    async send(source: string, records: Records, mode: 'bulk' | 'delta' = 'bulk', kinds: readonly string[] = []) {
      const answer = await admin().post('import', { source, mode, kinds, records });
      expect(outcomeOf(answer)).toEqual([200, '已提交']);
      return waitForJob(answer.body.data.id as number);
    },
    /** Uploads records as a file. Returns the response, whether accepted or refused. */
    async sendFile(source: string, name: string, content: string | Uint8Array): Promise<Answer> {
      const form = new FormData();
      form.set('source', source);
      form.set('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
      const answer = await admin().post('import/upload', form);
      if (answer.status === 200) await waitForJob(answer.body.data.id);
      return answer;
    },
    rows: async (id: number, query = '') => (await admin().get(`import/${id}/rows?limit=500${query}`)).body.data.list,
    /** Returns the number of records by outcome, for each kind. */
    async countsOf(id: number): Promise<Record<string, number[]>> {
      const { kinds } = await show(id);
      return Object.fromEntries(kinds.map(({ kind, counts }: { kind: string; counts: number[] }) => [kind, counts]));
    },
    async mustApply(id: number): Promise<void> {
      expect(outcomeOf(await apply(id))).toEqual([200, '已导入']);
      expect((await show(id)).state).toBe('applied');
    },
    /** Undoes an import. Returns the number of records that could not be undone. */
    async mustUndo(id: number): Promise<number> {
      expect(outcomeOf(await admin().post(`import/${id}/undo`))).toEqual([200, '已撤销']);
      const { state, stayed } = await show(await waitForJob(id));
      expect(state).toBe('undone');
      return stayed;
    },
    /** Returns the record to which this source id was last mapped. */
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
