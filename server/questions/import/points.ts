/** Knowledge points of imported questions: which one a written text means, and what becomes of a text that means none. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import { importMessages } from '../import.rules.ts';
import { pointSeparator } from '../points.rules.ts';
import { pointPaths } from '../points.ts';
import { type QuestionDraft, remarkLimit } from '../rules.ts';
import type { ImportedQuestion } from './imported-question.ts';
import { importedPoints } from './rules.ts';

export interface Point {
  id: number;
  path: string;
}

/** Returns the point that a text means: its path, the end of its path, or a name that no other point has. */
export type FindPoint = (text: string) => Point | undefined;

/** Reads the school's points once, for many texts. */
export async function pointFinder(db: Database): Promise<FindPoint> {
  const byEnd = new Map<string, Point | null>();
  const byPath = new Map<string, Point>();
  for (const [id, path] of await pointPaths(db)) {
    const point = { id, path };
    const names = path.split(pointSeparator).map(normalizeName);
    byPath.set(names.join('/'), point);
    // An end that several points have means none of them.
    for (const at of names.keys()) {
      const end = names.slice(at).join('/');
      byEnd.set(end, byEnd.has(end) ? null : point);
    }
  }
  return (text) => {
    const sought = text
      .split(/\s*(?:[/／>＞→»\\|｜]|-{2,}|——)\s*/)
      .map(normalizeName)
      .filter((name) => name !== '')
      .join('/');
    return byPath.get(sought) ?? byEnd.get(sought) ?? undefined;
  };
}

/** Puts the path of the point that each question means in place of the written text; an unknown text stays. */
export function resolvePointPaths(questions: readonly ImportedQuestion[], findPoint: FindPoint): void {
  for (const question of questions) {
    const { point } = question.draft;
    if (!point) continue;
    const whole = findPoint(point);
    if (whole) question.draft.point = whole.path;
    else settleSeveral(question, point, findPoint);
  }
}

/** A question has one point, so the other ones of a list go to the remark. */
function settleSeveral(question: ImportedQuestion, written: string, findPoint: FindPoint): void {
  const names = written.split(/[;；,，、\n]+/).map((name) => name.trim());
  const found = names.find((name) => findPoint(name));
  if (names.length < 2 || found === undefined) return;
  const { path } = findPoint(found) as Point;
  const others = names.filter((name) => name !== found && name !== '').join('、');
  const remark = withText(question.draft.remark, others);
  const where = 'line' in question.source ? `第${question.source.line}行` : (question.losses[0]?.where ?? '知识点');
  const message = remark === undefined ? importedPoints.lost(others) : importedPoints.several(path, others);
  question.losses.push({ where, message });
  question.draft.point = path;
  question.draft.remark = remark ?? question.draft.remark;
}

/** Adds a text to a remark; undefined if there is no room. */
function withText(remark: string, text: string): string | undefined {
  const joined = remark.includes(text) ? remark : `${remark} ${text}`.trim();
  return [...joined].length > remarkLimit ? undefined : joined;
}

/** Questions of a paper have neither a knowledge point nor a remark. */
export const haveNoPoints = ({ identity }: Pick<Actor, 'identity'>): boolean => identity === 'admin';

/** Says what becomes of a text that cannot be a point; '' if it can. */
export function pointNote(draft: QuestionDraft, actor: Pick<Actor, 'identity'>, findPoint: FindPoint): string {
  const { point = '', remark } = draft;
  if (point === '') return '';
  if (haveNoPoints(actor)) return importMessages.pointOfPaper;
  if (findPoint(point)) return '';
  return withText(remark, point) === undefined ? importMessages.pointLost : importMessages.pointInRemark;
}

/** Returns the question to store. A text that names no point goes to the remark if there is room. */
export function takePoint<Draft extends QuestionDraft>(
  draft: Draft,
  actor: Pick<Actor, 'identity'>,
  findPoint: FindPoint,
): { draft: Draft; pointId: number | null } {
  const { point = '', ...rest } = draft;
  const found = haveNoPoints(actor) ? undefined : findPoint(point);
  if (found) return { draft: { ...draft, point: found.path }, pointId: found.id };
  return { draft: { ...(rest as Draft), remark: withText(draft.remark, point) ?? draft.remark }, pointId: null };
}

/** Stores the points of questions that were just added. */
export async function storePoints(
  db: Database,
  added: readonly { id: number; pointId: number | null }[],
): Promise<void> {
  const byPoint = new Map<number, number[]>();
  for (const { id, pointId } of added) {
    if (pointId !== null) byPoint.set(pointId, [...(byPoint.get(pointId) ?? []), id]);
  }
  for (const [point_id, ids] of byPoint) {
    await db.updateTable('question').set({ point_id }).where('id', 'in', ids).execute();
  }
}
