/**
 * The two numberings of question types, and the one codec between them.
 *
 * The bank, the tables and the paper preview have the canonical code. The answer sheet, correction and statistics of
 * exams read the same numbers otherwise: 1 single, 2 multiple, 3 judgment, 4 indefinite or matching, 5 short answer,
 * 6 material, 7 fill-in. Calls that carry this reading translate at their edge, and screens name it by
 * `examTypeName`. Pure, and also for the browser.
 */

export const canonicalTypes = [1, 2, 3, 4, 5, 6, 7] as const;
export type CanonicalType = (typeof canonicalTypes)[number];
/** The same numbers, in the exam reading. */
export type ExamType = CanonicalType;

const readings: Readonly<Record<CanonicalType, { exam: CanonicalType; name: string }>> = {
  1: { exam: 1, name: '单选题' },
  2: { exam: 3, name: '判断题' },
  3: { exam: 2, name: '多选题' },
  4: { exam: 4, name: '不定项选择题' },
  5: { exam: 5, name: '简答题' },
  6: { exam: 6, name: '材料题' },
  7: { exam: 7, name: '填空题' },
};
const canonicalOf = new Map(canonicalTypes.map((code) => [readings[code].exam, code]));

/** A stored type as the answer sheet, correction and statistics of exams carry it. */
export function toExamType(canonical: number): ExamType {
  const reading = readings[canonical as CanonicalType];
  if (!reading) throw new Error(`no question type ${canonical}`);
  return reading.exam;
}

/** The canonical code of a type that came in the exam reading. */
export function fromExamType(examType: number): CanonicalType {
  const canonical = canonicalOf.get(examType as CanonicalType);
  if (!canonical) throw new Error(`no question type ${examType} in the exam reading`);
  return canonical;
}

/** The name of a type in the exam reading; type 4 is also the matching question. */
export function examTypeName(examType: number, isMatching = false): string {
  return isMatching ? '连线题' : readings[fromExamType(examType)].name;
}
