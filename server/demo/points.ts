/** Knowledge points of the demo school, and which question has which. */
import type { BankQuestion, DemoSubject } from './bank.ts';
import { readData } from './data.ts';
import type { RowWriter } from './row-writer.ts';

/** Subject, chapter, knowledge point, and a pattern: questions whose remark matches it get this knowledge point. */
const tree = readData<Record<DemoSubject, Record<string, Record<string, string>>>>('points.json');

/**
 * Adds the tree of knowledge points. Returns a function that finds a question's knowledge point: by its remark, or else
 * by subject.
 */
export function addPoints(
  writer: RowWriter,
  subjects: Record<DemoSubject, number>,
): (question: BankQuestion) => number {
  const found = new Map<DemoSubject, { root: number; leaves: { topic: RegExp; id: number }[] }>();
  let sort = 0;
  const add = (name: string, parent_id: number | null, subject_id: number | null = null) => {
    sort += 1;
    return writer.add('knowledge_point', { parent_id, name, sort, subject_id });
  };
  for (const [subject, chapters] of Object.entries(tree)) {
    const root = add(subject, null, subjects[subject as DemoSubject]);
    const leaves = Object.entries(chapters).flatMap(([chapter, points]) => {
      const parent = add(chapter, root);
      return Object.entries(points).map(([point, topic]) => ({
        topic: new RegExp(topic),
        id: add(point, parent),
      }));
    });
    found.set(subject as DemoSubject, { root, leaves });
  }
  return ({ subject, remark }) => {
    const { root, leaves } = found.get(subject) as { root: number; leaves: { topic: RegExp; id: number }[] };
    return leaves.find(({ topic }) => topic.test(remark))?.id ?? root;
  };
}
