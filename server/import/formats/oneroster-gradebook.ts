/** Rows of the gradebook in a OneRoster package: categories, line items (homework and exams) and results. */
import { noTerm } from './oneroster-format.ts';
import { encodeId } from './oneroster-ids.ts';
import type { ClassRow, RowsByFile } from './oneroster-roster.ts';

/** A homework or exam of a class. Days are `yyyy-mm-dd` in local time. */
export interface LineItem {
  sourceId: string;
  title: string;
  description?: string;
  assignDay: string;
  dueDay: string;
  classId: string;
  /** Id of the homeroom, if this class is a homeroom's course. */
  homeroomId?: string;
  categoryId: string;
  schoolId: string;
  termId?: string;
  least?: number;
  most?: number;
}

export interface Result {
  sourceId: string;
  lineItemId: string;
  studentId: string;
  classId?: string;
  status: 'exempt' | 'fully graded' | 'not submitted' | 'partially graded' | 'submitted';
  score?: number;
  day: string;
  comment?: string;
  isLate?: boolean;
  isMissing?: boolean;
}

type Rows<T> = () => Iterable<T> | AsyncIterable<T>;

export interface Gradebook {
  categories: Rows<{ sourceId: string; title: string }>;
  lineItems: Rows<LineItem>;
  results: Rows<Result>;
}

export function gradebookRows(
  { categories, lineItems, results }: Gradebook,
  classes: ReadonlyMap<string, ClassRow>,
): RowsByFile {
  return {
    categories: async function* () {
      for await (const { sourceId, title } of categories()) yield { sourcedId: encodeId(sourceId), title };
    },
    lineItems: async function* () {
      for await (const item of lineItems()) {
        const [term = noTerm] = item.termId
          ? [encodeId(item.termId)]
          : (classes.get(item.homeroomId ?? item.classId)?.terms.split(',') ?? []);
        yield {
          sourcedId: encodeId(item.sourceId),
          title: item.title,
          description: item.description ?? '',
          assignDate: item.assignDay,
          dueDate: item.dueDay,
          classSourcedId: encodeId(item.classId),
          categorySourcedId: encodeId(item.categoryId),
          academicSessionSourcedId: term,
          resultValueMin: item.least === undefined ? '' : String(item.least),
          resultValueMax: item.most === undefined ? '' : String(item.most),
          schoolSourcedId: encodeId(item.schoolId),
        };
      }
    },
    results: async function* () {
      for await (const result of results()) {
        yield {
          sourcedId: encodeId(result.sourceId),
          lineItemSourcedId: encodeId(result.lineItemId),
          studentSourcedId: encodeId(result.studentId),
          scoreStatus: result.status,
          score: result.score === undefined ? '' : String(result.score),
          scoreDate: result.day,
          comment: result.comment ?? '',
          classSourcedId: result.classId === undefined ? '' : encodeId(result.classId),
          late: result.isLate === undefined ? '' : String(result.isLate),
          missing: result.isMissing === undefined ? '' : String(result.isMissing),
        };
      }
    },
  };
}
