/** Calls of administrators for grades, categories, subjects, rooms and terms. All catalogues have the same calls. */
import * as v from 'valibot';
import {
  FlagNumber,
  fieldsRule,
  OneLine,
  page,
  paging,
  SearchFlag,
  SearchId,
  SearchText,
  TypedDays,
  TypedText,
  WholeNumber,
} from '#server/platform/calls/fields.ts';
import { isDay } from '#server/platform/calls/rules.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { catalogueKinds, catalogueMessages, entryNameLimit, seatsLimit, termMessages, termTypes } from './rules.ts';

const Kind = v.picklist(catalogueKinds);

/** Filters of a catalogue. `all`: includes archived entries. `school_id`: only for rooms. */
export const CatalogueFilter = v.object({
  name: SearchText,
  school_id: SearchId,
  all: SearchFlag,
  ...paging(50),
});
export type CatalogueFilter = v.InferOutput<typeof CatalogueFilter>;

const shared = {
  id: v.number(),
  name: v.string(),
  /** Parent and level, for catalogues with levels; null, '' and 0 for others. */
  parent_id: v.nullable(v.number()),
  parent_name: v.string(),
  depth: v.number(),
  /** School and seats of a room; null, '' and 0 for other catalogues. */
  school_id: v.nullable(v.number()),
  school_name: v.string(),
  seats: v.number(),
  /**
   * Type and days of a term; '' for other catalogues. Days are yyyy-mm-dd (the last day belongs to the term), '' if
   * unknown.
   */
  type: v.picklist(['', ...termTypes]),
  first_day: v.string(),
  last_day: v.string(),
  is_put_away: FlagNumber,
  /** Uses of the entry in words, such as `12个班级、3门课程`; '' if unused. */
  uses: v.string(),
};

export const CatalogueRow = v.object(shared);
export type CatalogueRow = v.InferOutput<typeof CatalogueRow>;

/**
 * An entry for its form. `after_id`: id of the entry before it on its level; 0 if it is the first. `seen` is the
 * version, sent back with the form.
 */
export const CatalogueRecord = v.object({ ...shared, after_id: v.number(), seen: v.string() });
export type CatalogueRecord = v.InferOutput<typeof CatalogueRecord>;

export const listCatalogue = adminCall({
  method: 'GET',
  path: 'catalogue/:kind',
  params: { kind: Kind },
  title: '基础资料列表',
  needs: 'teaching',
  query: CatalogueFilter,
  answer: page(CatalogueRow),
});

export const showCatalogueEntry = adminCall({
  method: 'GET',
  path: 'catalogue/:kind/:id',
  params: { kind: Kind },
  title: '基础资料详情',
  needs: 'teaching',
  answer: CatalogueRecord,
});

/** Lists the schools that a room can belong to. */
export const catalogueSchools = adminCall({
  method: 'GET',
  path: 'rooms/schools',
  title: '教室可选的学校',
  needs: 'teaching',
  answer: v.array(v.object({ id: v.number(), name: v.string() })),
});

const written = {
  name: TypedText,
  parent_id: SearchId,
  school_id: SearchId,
  seats: v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), ''),
  type: TypedText,
  first_day: TypedDays,
  last_day: TypedDays,
};

export const NewEntry = v.object(written);
export type NewEntry = v.InferOutput<typeof NewEntry>;

/**
 * An edited entry. `after_id`: id of the entry that it follows on its level; 0 to become the first; missing to keep its
 * place.
 */
export const EditedEntry = v.object({
  ...written,
  after_id: v.fallback(v.optional(v.pipe(WholeNumber, v.minValue(0))), undefined),
  seen: TypedText,
});
export type EditedEntry = v.InferOutput<typeof EditedEntry>;

const EntryName = v.pipe(
  OneLine,
  v.nonEmpty(catalogueMessages.noName),
  v.check((name) => lengthOf(name) <= entryNameLimit, catalogueMessages.nameLength),
);

export const CompleteEntry = v.object({
  name: EntryName,
  seats: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d{0,4}$/, catalogueMessages.seats),
    v.transform(Number),
    v.maxValue(seatsLimit, catalogueMessages.seats),
  ),
});

const Day = v.pipe(
  v.string(),
  v.trim(),
  v.check((day) => day === '' || isDay(day), termMessages.day),
);

export const CompleteTerm = v.pipe(
  v.object({
    name: EntryName,
    type: v.picklist(termTypes, termMessages.type),
    first_day: Day,
    last_day: Day,
  }),
  fieldsRule(
    ['first_day', 'last_day'],
    ({ first_day, last_day }) => first_day === '' || last_day === '' || first_day <= last_day,
    termMessages.order,
  ),
);

export const addCatalogueEntry = adminCall({
  method: 'POST',
  path: 'catalogue/:kind',
  params: { kind: Kind },
  title: '添加基础资料',
  needs: 'teaching',
  body: NewEntry,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editCatalogueEntry = adminCall({
  method: 'PUT',
  path: 'catalogue/:kind/:id',
  params: { kind: Kind },
  title: '修改基础资料',
  needs: 'teaching',
  body: EditedEntry,
  answer: v.null(),
  message: '保存成功',
});

/** Swaps an entry with the previous or next entry of its level. */
export const moveCatalogueEntry = adminCall({
  method: 'POST',
  path: 'catalogue/:kind/:id/move',
  params: { kind: Kind },
  title: '调整基础资料的顺序',
  needs: 'teaching',
  body: v.object({ direction: v.picklist(['up', 'down']) }),
  answer: v.null(),
  message: '顺序已调整',
});

/** Archives an entry: neither it nor the entries below it are offered any more. Records that use it keep it. */
export const archiveCatalogueEntry = adminCall({
  method: 'POST',
  path: 'catalogue/:kind/:id/put-away',
  params: { kind: Kind },
  title: '停用基础资料',
  needs: 'teaching',
  answer: v.null(),
  message: '已停用',
});

export const restoreCatalogueEntry = adminCall({
  method: 'POST',
  path: 'catalogue/:kind/:id/restore',
  params: { kind: Kind },
  title: '恢复基础资料',
  needs: 'teaching',
  answer: v.null(),
  message: '已恢复',
});

/** Deletes an entry that nothing uses. */
export const deleteCatalogueEntry = adminCall({
  method: 'DELETE',
  path: 'catalogue/:kind/:id',
  params: { kind: Kind },
  title: '删除基础资料',
  needs: 'teaching',
  answer: v.null(),
  message: '删除成功',
});

/**
 * Merges an entry into another one: its uses and child entries move to the other entry, and then it is deleted.
 * `acknowledged`: the sentence with the effect, as the user confirmed it.
 */
export const mergeCatalogueEntry = adminCall({
  method: 'POST',
  path: 'catalogue/:kind/:id/merge',
  params: { kind: Kind },
  title: '合并基础资料',
  needs: 'teaching',
  body: v.object({ into_id: SearchId, acknowledged: TypedText }),
  answer: v.null(),
  message: '合并成功',
});
