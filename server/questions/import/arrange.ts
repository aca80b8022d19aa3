/** Joins, splits, nests and leaves out questions of an import. */
import { conflict, invalid, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import {
  type Arrangement,
  arrangementNames,
  dissolveSaid,
  importMessages,
  leaveOutFault,
  materialSaid,
  replaceFault,
  restoreFault,
  splitSaid,
  takeBackFault,
} from '../import.rules.ts';
import type { QuestionDraft } from '../rules.ts';
import { nameOf, withOriginal } from './correct.ts';
import { joined, withType } from './correction-draft.ts';
import {
  type CorrectionContext,
  contentColumns,
  doubtColumns,
  draftOfRow,
  lockedImport,
  notesOf,
  rowAsShown,
  rowGap,
  rowsOf,
  type StoredRow,
  storeChange,
} from './import-rows.ts';
import { readLines } from './read-lines.ts';
import type { Line } from './rich-line.ts';

interface Request {
  importId: string;
  row: number;
  version: number;
  act: Arrangement;
  /** Line before which the question is split. */
  line?: number | undefined;
  /** Number of questions that become parts. */
  count?: number | undefined;
}

/** The rows that change, after it; `before`: further rows than the named one. */
interface Arranged {
  before?: readonly StoredRow[];
  after: StoredRow[];
  said: string;
}

/** Carries out an arrangement. 404: no such import or question. 409: corrected in another window, or not possible. */
export async function applyRowOperation(
  context: CorrectionContext,
  request: Request,
): Promise<{ row: number; version: number } | Refusal> {
  const { importId, row, version, act } = request;
  const locked = await lockedImport(context, importId);
  if (isRefusal(locked)) return locked;
  const found = await rowAsShown(context.db, { importId, row, version });
  if (isRefusal(found)) return found;
  const arranged = await work[act](context.db, found, request);
  if (isRefusal(arranged)) return arranged;
  const { before = [], after, said } = arranged;
  const name = await nameOf(context, found);
  await storeChange(context, { importId, before: [found, ...before], after, said: `${name}：${said}` });
  const kept = after.find(({ sort }) => sort === row) ?? after[0];
  return { row: kept?.sort ?? row, version: (kept?.version ?? 0) + 1 };
}

type Work = (db: Database, row: StoredRow, request: Request) => Promise<Arranged | Refusal> | Arranged | Refusal;

const work: Record<Arrangement, Work> = {
  join: async (db, row) => {
    const before = await neighbour(db, row);
    return before ? joinRows(before, row, arrangementNames.join) : conflict(importMessages.noBefore);
  },
  part: async (db, row) => {
    const before = await neighbour(db, row);
    if (!before || draftOfRow(before).ques_type !== 6) return conflict(importMessages.noMaterial);
    return joinRows(before, row, arrangementNames.part);
  },
  split: splitRow,
  material: makeMaterial,
  dissolve: dissolveMaterial,
  'leave-out': (_, row) =>
    refuseFor('conflict', leaveOutFault(row)) ?? {
      after: [{ ...row, state: 2, replaces: 0 }],
      said: arrangementNames['leave-out'],
    },
  'take-back': (_, row) =>
    refuseFor('conflict', takeBackFault(row)) ?? { after: [{ ...row, state: 1 }], said: arrangementNames['take-back'] },
  confirm: (_, row) => ({
    after: [withOriginal(row, { ...row, ...doubtColumns([]) })],
    said: arrangementNames.confirm,
  }),
  restore: (_, row) =>
    refuseFor('conflict', restoreFault(row.original !== null)) ?? {
      after: [{ ...row, ...(JSON.parse(row.original ?? '{}') as Partial<StoredRow>), original: null }],
      said: arrangementNames.restore,
    },
  take: (_, row) => ({ after: [{ ...row, state: 1, replaces: 0 }], said: arrangementNames.take }),
  skip: (_, row) => ({ after: [{ ...row, state: 2, replaces: 0 }], said: arrangementNames.skip }),
  replace: (_, row) =>
    refuseFor('conflict', replaceFault(row.bank_id !== null)) ?? {
      after: [{ ...row, state: 1, replaces: 1 }],
      said: arrangementNames.replace,
    },
};

/** Returns the question before a row; skips questions that are left out. */
const neighbour = (db: Database, row: StoredRow): Promise<StoredRow | undefined> =>
  rowsOf(db, row.import_id)
    .where('state', '=', 1)
    .where('sort', '<', row.sort)
    .orderBy('sort', 'desc')
    .executeTakeFirst();

function joinRows(first: StoredRow, second: StoredRow, said: string): Arranged {
  const [one, other] = [first, second].map(draftOfRow) as [QuestionDraft, QuestionDraft];
  const draft = joined(one, other);
  const scores = [first, second].map(({ part_scores }) => JSON.parse(part_scores) as (number | null)[]);
  const added = other.ques_type === 6 ? (scores[1] ?? []) : [second.score];
  return {
    before: [first],
    after: [
      {
        ...first,
        ...contentColumns(draft, first.place),
        ...doubtColumns([...notesOf(first.doubts), ...notesOf(second.doubts)]),
        losses: JSON.stringify([...notesOf(first.losses), ...notesOf(second.losses)]),
        score: first.score ?? (one.ques_type === 6 ? null : second.score),
        part_scores: JSON.stringify(one.ques_type === 6 ? [...(scores[0] ?? []), ...added] : []),
        ...linesOfBoth([first, second]),
        original: null,
      },
    ],
    said,
  };
}

function linesOfBoth(rows: readonly StoredRow[]): Pick<StoredRow, 'line_from' | 'line_to'> {
  const from = rows.flatMap(({ line_from }) => line_from ?? []);
  const to = rows.flatMap(({ line_to }) => line_to ?? []);
  return {
    line_from: from.length > 0 ? Math.min(...from) : null,
    line_to: to.length > 0 ? Math.max(...to) : null,
  };
}

async function makeMaterial(db: Database, row: StoredRow, { count = 1 }: Request): Promise<Arranged | Refusal> {
  const draft = draftOfRow(row);
  const parts = await rowsOf(db, row.import_id)
    .where('state', '=', 1)
    .where('sort', '>', row.sort)
    .orderBy('sort')
    .limit(Math.min(count, maxParts))
    .execute();
  if (parts.length === 0) return conflict(importMessages.noParts);
  const drafts = parts.map(draftOfRow);
  if (drafts.some(({ ques_type }) => ques_type === 6)) return conflict(importMessages.partMaterial);
  const material = draft.ques_type === 6 ? draft : withType(draft, 6);
  const point = material.point || drafts.find((part) => part.point)?.point;
  const scores = draft.ques_type === 6 ? (JSON.parse(row.part_scores) as (number | null)[]) : [];
  return {
    before: parts,
    after: [
      {
        ...row,
        ...contentColumns(
          { ...material, ...(point && { point }), ques_item: [...material.ques_item, ...drafts] },
          row.place,
        ),
        ...doubtColumns([row, ...parts].flatMap(({ doubts }) => notesOf(doubts))),
        losses: JSON.stringify([row, ...parts].flatMap(({ losses }) => notesOf(losses))),
        part_scores: JSON.stringify([...scores, ...parts.map(({ score }) => score)]),
        ...linesOfBoth([row, ...parts]),
        original: null,
      },
    ],
    said: materialSaid(parts.length),
  };
}

/** Maximum parts that one arrangement adds to a material. */
const maxParts = 100;

/** The parts become questions; the text of the material stays in its place, left out. */
async function dissolveMaterial(db: Database, row: StoredRow): Promise<Arranged | Refusal> {
  const draft = draftOfRow(row);
  if (draft.ques_type !== 6 || draft.ques_item.length === 0) return conflict(importMessages.notMaterialRow);
  const sorts = await roomAfter(db, row, draft.ques_item.length);
  if (isRefusal(sorts)) return sorts;
  const scores = JSON.parse(row.part_scores) as (number | null)[];
  const parts = draft.ques_item.map((part, index) => ({
    ...row,
    ...contentColumns(part, row.place),
    ...doubtColumns([]),
    losses: '[]',
    sort: sorts[index] as number,
    version: 0,
    state: 1 as const,
    score: scores[index] ?? null,
    part_scores: '[]',
    number: '',
    line_from: null,
    line_to: null,
    original: null,
    bank_id: null,
    bank_match: 0 as const,
    replaces: 0 as const,
  }));
  const text = { ...withType({ ...draft, ques_item: [] }, 5), ques_stem: draft.ques_stem };
  const material = {
    ...row,
    ...contentColumns(text, row.place),
    state: 2 as const,
    part_scores: '[]',
    original: null,
  };
  return { after: [material, ...parts], said: dissolveSaid(parts.length) };
}

/** Returns places for some rows after this one. 409: there is no room. */
async function roomAfter(db: Database, row: StoredRow, count: number): Promise<number[] | Refusal> {
  const next = await rowsOf(db, row.import_id).where('sort', '>', row.sort).orderBy('sort').executeTakeFirst();
  const room = (next?.sort ?? row.sort + rowGap * (count + 1)) - row.sort;
  const step = Math.floor(room / (count + 1));
  if (step === 0) return conflict(importMessages.noRoom);
  return Array.from({ length: count }, (_, index) => row.sort + step * (index + 1));
}

/** Reads the lines before and after the split again, each as questions of their own. */
async function splitRow(db: Database, row: StoredRow, { line = 0 }: Request): Promise<Arranged | Refusal> {
  const { line_from: from, line_to: to } = row;
  if (from === null || to === null || line <= from || line > to) return invalid({ line: [importMessages.noSplit] });
  const stored = await db
    .selectFrom('question_import_line')
    .select(['line', 'content'])
    .where('import_id', '=', row.import_id)
    .where('line', '>=', from)
    .where('line', '<=', to)
    .orderBy('line')
    .execute();
  const lines = stored.map(({ content }) => JSON.parse(content) as Line);
  const read = [
    ...readLines(
      lines.filter(({ number }) => number < line),
      row.section,
    ),
    ...readLines(
      lines.filter(({ number }) => number >= line),
      row.section,
    ),
  ];
  if (read.length < 2) return invalid({ line: [importMessages.noSplit] });
  const sorts = await roomAfter(db, row, read.length - 1);
  if (isRefusal(sorts)) return sorts;
  const difficulty = draftOfRow(row).facility_value;
  const after = read.map(({ draft, errors, losses, doubts, score, number, lines: span }, index) => ({
    ...row,
    ...contentColumns({ ...draft, facility_value: difficulty || draft.facility_value }, `第${span.from}行`, errors),
    ...doubtColumns(doubts),
    losses: JSON.stringify(losses),
    place: `第${span.from}行`,
    sort: index === 0 ? row.sort : (sorts[index - 1] as number),
    version: index === 0 ? row.version : 0,
    score: score === undefined ? row.score : Math.round(score * 10),
    part_scores: JSON.stringify(draft.ques_item.map(() => null)),
    number: number ?? '',
    line_from: span.from,
    line_to: span.to,
    original: null,
    ...(index === 0 ? {} : { bank_id: null, bank_match: 0 as const, replaces: 0 as const }),
  }));
  return { after, said: splitSaid(after.length) };
}
