/** Searches a bank by an index of characters and bigrams, and counts the matches; see docs/decisions/034-search.md. */
import { type RawBuilder, sql } from 'kysely';
import type { Page } from '#server/platform/calls/rules.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { countOf, type Paging, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { bigramsOf, charactersOf, containsText, foldCase } from '#server/platform/db/search.ts';

export interface BankSearch {
  /** Owner of the bank; undefined: the public bank. */
  ownerId: number | undefined;
  ques_type?: number | undefined;
  /** True: leaves out whole writing tasks, which pickers do not offer. */
  forPicker: boolean;
  facility_value?: number | undefined;
  /** Ids of knowledge points; a question must have one of them. */
  points?: number[] | undefined;
  /** Text that the stem must contain. */
  stem?: string | undefined;
  remark?: string | undefined;
  /** Folded tags; a question of `ownerId` must have all of them. */
  tags?: string[];
  /** Searches all public or all private questions, of `owners` only if given. `ownerId` is ignored then. */
  among?: { isPublic: 0 | 1; owners: readonly number[] | undefined };
}

/**
 * Largest id. A “place” is a number with the time of the last change in its upper bits and the id in its lower 30 bits,
 * so that sorting by place sorts by change.
 */
const lastId = 2 ** 30 - 1;

interface Index {
  count(): Promise<number>;
  /** Returns a range of ids in the order of their last change. */
  range(range: RowRange, from: 'newest' | 'oldest', total: number): Promise<number[]>;
}

/** Searches a bank; returns a page of ids, the last edited first. */
export async function searchBank(db: Database, search: BankSearch, paging: Paging): Promise<Page<number>> {
  const bank = search.among ? await allQuestions(db, search.among.isPublic) : await bankOf(db, search.ownerId);
  const index = isSqlite(db) ? sqliteIndex(db, search) : postgresIndex(db, search, bank.questions);
  const isWhole = isWholeBank(search) && search.among?.owners === undefined;
  const total = isWhole ? bank.questions : await totalOf(db, search, bank.version, index);
  // Pages in the second half are read from the end, which is nearer.
  return pageOf(total, paging, async ({ limit, offset }) => {
    if (offset <= total / 2) return index.range({ limit, offset }, 'newest', total);
    const count = Math.min(limit, total - offset);
    const ids = await index.range({ limit: count, offset: total - offset - count }, 'oldest', total);
    return ids.reverse();
  });
}

const isWholeBank = ({ ques_type, forPicker, facility_value, points, stem, remark, tags }: BankSearch): boolean =>
  !forPicker && !points && !tags && !stem && !remark && ques_type === undefined && facility_value === undefined;

async function bankOf(db: Database, ownerId: number | undefined): Promise<{ questions: number; version: number }> {
  const bank = await db
    .selectFrom('question_bank')
    .select(['questions', 'version'])
    .where('bank', '=', ownerId ?? 0)
    .executeTakeFirst();
  return bank ?? { questions: 0, version: 0 };
}

/** Returns number and version of all public, or all private, questions. */
async function allQuestions(db: Database, isPublic: 0 | 1): Promise<{ questions: number; version: number }> {
  const shared = await bankOf(db, undefined);
  if (isPublic === 1) return shared;
  const { questions, version } = await db
    .selectFrom('question_bank')
    .select((eb) => [
      eb.fn.sum<number | null>('questions').as('questions'),
      eb.fn.sum<number | null>('version').as('version'),
    ])
    .where('bank', '<>', 0)
    .executeTakeFirstOrThrow();
  return { questions: Number(questions ?? 0) - shared.questions, version: Number(version ?? 0) };
}

/** Caches the totals of searches per database, together with the version of the bank at which they were counted. */
const totals = new WeakMap<object, Map<string, { version: number; total: number }>>();
const maxTotals = 1000;

/**
 * Counts the matches of a search. The total is cached until a question of the bank changes, because counting a third of
 * a million questions takes tens of milliseconds.
 */
async function totalOf(db: Database, search: BankSearch, version: number, index: Index): Promise<number> {
  const source = db.getExecutor().adapter;
  const known = totals.get(source) ?? new Map<string, { version: number; total: number }>();
  totals.set(source, known);
  const key = JSON.stringify(search);
  const kept = known.get(key);
  if (kept?.version === version) return kept.total;
  const total = await index.count();
  known.delete(key);
  if (known.size >= maxTotals) known.delete(known.keys().next().value as string);
  known.set(key, { version, total });
  return total;
}

// ---- SQLite ----------------------------------------------------------------------------------------

function sqliteIndex(db: Database, search: BankSearch): Index {
  let columns: Promise<RawBuilder<unknown>> | undefined;
  const found = () => {
    columns ??= sqliteFound(db, search);
    return columns;
  };
  return {
    async count() {
      const { rows } = await sql<{ total: number }>`select count(*) as total ${await found()}`.execute(db);
      return rows[0]?.total ?? 0;
    },
    async range({ limit, offset }, from) {
      const order = sql.raw(from === 'newest' ? 'desc' : 'asc');
      const { rows } = await sql<{ id: number }>`
        select question_search.rowid & ${sql.lit(lastId)} as id ${await found()}
        order by question_search.rowid ${order} limit cast(${limit} as integer) offset ${offset}`.execute(db);
      return rows.map(({ id }) => id);
    },
  };
}

/**
 * Selects the matches. Usually the full-text index alone finds them. For a long text, only its rarest bigrams are
 * looked up and then the text itself is compared, because reading the index entries of every bigram would take longest.
 */
async function sqliteFound(db: Database, search: BankSearch): Promise<RawBuilder<unknown>> {
  const stem = await phrasesOf(db, stemColumns(search), search.stem);
  const remark = await phrasesOf(db, 'remark', search.remark);
  const found = sql`from question_search`;
  const matching = sql`where question_search match ${matchOf(search, [...stem.phrases, ...remark.phrases])}`;
  const texts = [
    ...(stem.isWhole ? [] : [containsText('question.stem_text', search.stem ?? '')]),
    ...(remark.isWhole ? [] : [containsText('question.remark', search.remark ?? '')]),
  ];
  const tagged = (search.tags ?? []).map(
    (tag) => sql<boolean>`question_search.rowid & ${sql.lit(lastId)} in (${taggedIds(db, search, tag)})`,
  );
  if (texts.length === 0) return sql`${found} ${sql.join([matching, ...tagged], sql` and `)}`;
  return sql`${found} cross join question on question.id = question_search.rowid & ${sql.lit(lastId)}
    ${matching} and ${sql.join([...tagged, ...texts], sql` and `)}`;
}

const taggedIds = (db: Database, { ownerId = 0 }: BankSearch, tag: string) =>
  db.selectFrom('question_tag').select('question_id').where('owner_id', '=', ownerId).where('folded', '=', tag);

/** Maximum number of bigrams that are searched by the index alone. */
const maxPairs = 10;
/** For a longer text: number of bigrams whose frequency is sampled. */
const askedPairs = 24;
/** Number of rarest bigrams that are used, each with its neighbours. */
const rarestPairs = 2;

/** Number of questions sampled to estimate how rare a bigram is. */
const lookedAt = 100;

/** Returns the phrases to search for in some columns: the whole text (`isWhole`), or its rarest pieces. */
async function phrasesOf(
  db: Database,
  columns: string,
  text: string | undefined,
): Promise<{ phrases: string[]; isWhole: boolean }> {
  const pairs = text ? bigramsOf(text) : [];
  const phraseOf = (some: readonly string[]) => `${columns} : "${some.join(' ')}"`;
  if (pairs.length <= maxPairs) return { phrases: pairs.length === 0 ? [] : [phraseOf(pairs)], isWhole: true };
  const places = [...new Map(pairs.map((pair, place) => [pair, place])).values()];
  const step = Math.max(1, places.length / askedPairs);
  const known: { place: number; since: number }[] = [];
  for (let at = 0; at < places.length; at += step) {
    const place = places[Math.floor(at)] as number;
    // Read as floats, because places exceed safe integers; that is precise enough here. The further back in time the
    // sample reaches, the rarer the bigram.
    const { rows } = await sql<{ since: number }>`
      select cast(rowid as real) as since from question_search
      where question_search match ${phraseOf(pairs.slice(place, place + 1))}
      order by rowid desc limit 1 offset ${lookedAt}`.execute(db);
    known.push({ place, since: rows[0]?.since ?? 0 });
  }
  const rarest: number[] = [];
  for (const { place } of known.sort((one, other) => one.since - other.since)) {
    if (rarest.length < rarestPairs && rarest.every((other) => Math.abs(place - other) > 2)) rarest.push(place);
  }
  const phrases = rarest.map((place) => phraseOf(pairs.slice(Math.max(0, place - 1), place + 2)));
  return { phrases, isWhole: false };
}

/** Index pages merged per step, which takes some milliseconds. */
const mergedPages = 100;

/**
 * Merges segments of SQLite's full-text index: every write adds a segment, and a search reads all segments that contain
 * its words. Returns true if there is more to merge. PostgreSQL needs no merging.
 */
export async function mergeIndex(db: Database): Promise<boolean> {
  if (!isSqlite(db)) return false;
  return db.transaction().execute(async (trx) => {
    const tell = async (command: string, number: number) => {
      await sql`insert into question_search (question_search, rank) values (${command}, ${sql.lit(number)})`.execute(
        trx,
      );
    };
    const changes = async () => {
      const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(trx);
      return rows[0]?.changes ?? 0;
    };
    // Allows merging as soon as two segments have the same size.
    await tell('usermerge', 2);
    const before = await changes();
    await tell('merge', mergedPages);
    return (await changes()) - before >= 2;
  });
}

/** Columns that hold stems: the index has public questions in `shared`, others in `stem`. */
function stemColumns({ ownerId, among }: BankSearch): string {
  if (!among && ownerId !== undefined) return '{stem shared}';
  return among?.isPublic === 0 ? 'stem' : 'shared';
}

/** Returns the full-text expression for a search. */
function matchOf(
  { ownerId, ques_type, forPicker, facility_value, points, stem, remark, among }: BankSearch,
  phrases: readonly string[],
): string {
  // Prefix of facts in the index: `s` for public questions, `m` for private ones.
  const mark = among?.isPublic === 0 ? 'm' : 's';
  const ofOwner = !among && ownerId !== undefined;
  const marked = (fact: string) => (ofOwner ? `(s${fact} OR m${fact})` : `${mark}${fact}`);
  // These facts already have the prefix that says which bank it is.
  const saysBank = ofOwner || ques_type !== undefined || facility_value !== undefined || points || stem;
  const facts = [
    ofOwner && `o${ownerId}`,
    among?.owners && `(${among.owners.map((owner) => `o${owner}`).join(' OR ')})`,
    !saysBank && `${mark}${forPicker ? 'n' : mark}`,
    ques_type !== undefined && marked(`k${ques_type}`),
    facility_value !== undefined && marked(`l${facility_value}`),
    points && `(${points.map((point) => marked(`p${point}`)).join(' OR ')})`,
    stem && isOne(stem) && marked(`x${charactersOf(stem)[0]}`),
    remark && isOne(remark) && `y${charactersOf(remark)[0]}`,
  ].filter(Boolean);
  const all = [...(facts.length > 0 ? [`facts : (${facts.join(' AND ')})`] : []), ...phrases].join(' AND ');
  // Written with NOT, because few questions are writing tasks.
  return saysBank && forPicker ? `(${all}) NOT facts : ${marked('k7')}` : all;
}

/** True if the text is a single character. */
const isOne = (text: string): boolean => Array.from(foldCase(text)).length === 1;

// ---- PostgreSQL ------------------------------------------------------------------------------------

/** With fewer matches than this, sorting them is faster than scanning the bank in order. */
const fewEnough = 3000;

function postgresIndex(db: Database, search: BankSearch, whole: number): Index {
  const { ques_type, forPicker, facility_value, points, stem = '', remark = '', tags = [], among } = search;
  const ownerId = among ? undefined : search.ownerId;
  const isPublic = among ? among.isPublic === 1 : ownerId === undefined;
  const facts = [
    among?.isPublic === 0 ? 'O' : ownerId === undefined ? 'S' : `O${ownerId}`,
    ...(ques_type === undefined ? [] : [`K${ques_type}`]),
    ...(forPicker ? ['N'] : []),
    ...(facility_value === undefined ? [] : [`L${facility_value}`]),
  ];
  const columns = sql`${facts}::text[], ${points ?? null}::integer[], folded_text(${stem}), folded_text(${remark})`;
  const narrowed = () => {
    let rows = db.selectFrom('question_search');
    if (among) rows = rows.where('is_public', '=', among.isPublic);
    else if (ownerId === undefined) rows = rows.where('is_public', '=', 1);
    if (among?.owners) rows = rows.where('owner_id', 'in', [...among.owners]);
    if (ownerId !== undefined) rows = rows.where('owner_id', '=', ownerId);
    if (ques_type !== undefined) rows = rows.where('ques_type', '=', ques_type);
    if (forPicker) rows = rows.where('ques_type', '<>', 7);
    if (facility_value !== undefined) rows = rows.where('facility_value', '=', facility_value);
    if (points) rows = rows.where('point_id', 'in', points);
    for (const tag of tags) rows = rows.where('question_id', 'in', taggedIds(db, search, tag));
    if (stem) rows = rows.where(sql<boolean>`strpos(stem, folded_text(${stem})) > 0`);
    if (remark) rows = rows.where(sql<boolean>`strpos(remark, folded_text(${remark})) > 0`);
    return rows;
  };
  return {
    async count() {
      // If there is no text to search, special indexes count the matches (server/schema/indexes.ts).
      if (among?.owners || tags.length > 0 || (isPublic && !stem && !remark)) return countOf(narrowed());
      const { rows } = await sql<{ total: number }>`select count_questions(${columns}) as total`.execute(db);
      return rows[0]?.total ?? 0;
    },
    async range({ limit, offset }, from, total) {
      const isNewest = from === 'newest';
      // No index has the private questions of all owners in order.
      if (among?.isPublic === 0 && !among.owners && isWholeBank(search)) {
        const order = isNewest ? 'desc' : 'asc';
        const rows = await db
          .selectFrom('question')
          .select('id')
          .where('is_public', '=', 0)
          .where('parent_id', 'is', null)
          .orderBy('updated_at', order)
          .orderBy('id', order)
          .limit(limit)
          .offset(offset)
          .execute();
        return rows.map(({ id }) => id);
      }
      if (among?.owners || tags.length > 0 || isWholeBank(search) || ((offset + limit) * whole) / total < fewEnough) {
        const rows = narrowed()
          // The id is the lower bits of the indexed place, so skipped rows need not be read from the table.
          .select(sql<number>`(place & ${sql.lit(lastId)})::integer`.as('question_id'))
          .orderBy('place', isNewest ? 'desc' : 'asc')
          .limit(limit)
          .offset(offset);
        return (await rows.execute()).map(({ question_id }) => question_id);
      }
      const { rows } = await sql<{ id: number }>`
        select id from search_questions(${columns}, ${isNewest}, ${limit}, ${offset}) as id`.execute(db);
      return rows.map(({ id }) => id);
    },
  };
}
