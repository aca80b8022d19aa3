/** The calls of exams (document 2, section 7). */

export {
  choiceLabel,
  type ExamOption,
  examOptions,
  isMatching,
  matchingPairs,
  optionLabel,
} from './options.ts';
export {
  type CanonicalType,
  canonicalTypes,
  type ExamType,
  examTypeName,
  fromExamType,
  toExamType,
} from './question-type.ts';
