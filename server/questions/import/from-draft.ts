/** Validates the drafts of readers whose formats name the fields, such as Moodle XML. */
import {
  checkQuestion,
  draftMessages,
  hasOptions,
  joinTags,
  maxTags,
  normaliseDraft,
  type QuestionDraft,
  type QuestionType,
  remarkLimit,
  tagLimit,
  tagsIn,
} from '#server/questions/rules.ts';
import type { ImportedQuestion, ImportNote, ImportSource } from './imported-question.ts';
import { fieldMissingMessage, importedMessages, longRemarkLoss, lostTags } from './rules.ts';

export interface ReadDraft {
  draft: QuestionDraft;
  source: ImportSource;
  /** Place of the question, for messages. */
  where: string;
  /** Messages. */
  losses: string[];
  doubts: string[];
  score?: number | undefined;
  number?: string | undefined;
}

export const emptyDraft = (ques_type: QuestionType): QuestionDraft => ({
  ques_type,
  ques_stem: '',
  ques_option: [],
  right_answer: '',
  ignore_case: 0,
  ques_analysis: '',
  facility_value: 0,
  remark: '',
  ques_item: [],
});

/** Difficulty of a question for which the file names none. */
const usualDifficulty = 3;

/** Checks a question by the rules of the form. */
export function importedFromDraft(read: ReadDraft): ImportedQuestion {
  const { where } = read;
  const losses = [...read.losses];
  const remark = remarkOf(read.draft.remark, losses);
  const draft = normaliseDraft({
    ...read.draft,
    remark,
    facility_value: read.draft.facility_value || usualDifficulty,
  });
  const note = (message: string): ImportNote => ({ where, message });
  return {
    draft,
    source: read.source,
    errors: errorsOf(draft, where),
    losses: [...new Set(losses)].map(note),
    doubts: [...new Set(read.doubts)].map(note),
    ...(read.score !== undefined && { score: read.score }),
    ...(read.number !== undefined && { number: read.number }),
  };
}

function remarkOf(written: string, losses: string[]): string {
  const remark = written.replace(/\s+/g, ' ').trim();
  if ([...remark].length <= remarkLimit) return remark;
  losses.push(longRemarkLoss(remark));
  return '';
}

/** Joins tags that fit; undefined without any. The spaces of a tag become hyphens, since ours have none. */
export function importedTags(names: readonly string[], lose: (message: string) => void): string | undefined {
  const tags = tagsIn(joinTags(names.map((name) => name.trim().replace(/[\s,，、;；]+/g, '-'))));
  const fitting = tags.filter((tag) => [...tag].length <= tagLimit).slice(0, maxTags);
  const lost = tags.filter((tag) => !fitting.includes(tag));
  if (lost.length > 0) lose(lostTags(lost));
  return fitting.length > 0 ? joinTags(fitting) : undefined;
}

function errorsOf(draft: QuestionDraft, where: string): ImportNote[] {
  return Object.entries(checkQuestion(draft)).flatMap(([path, messages]) => {
    const [, part, field = path] = /^ques_item\.(\d+)\.(.+)$/.exec(path) ?? [];
    const of = part === undefined ? draft : (draft.ques_item[Number(part)] as QuestionDraft);
    const place = part === undefined ? where : `${where}第${Number(part) + 1}小题`;
    return messages.map((message) => ({ where: place, message: errorMessage(of, field, message) }));
  });
}

const fieldNames: Readonly<Record<string, string>> = { ques_stem: '题干', right_answer: '答案' };

/** Names a missing field, instead of the form's general message. */
function errorMessage(draft: QuestionDraft, field: string, message: string): string {
  const isUnanswered = hasOptions(draft.ques_type) && !draft.ques_option.some(({ is_right }) => is_right === 1);
  if (field === 'right_answer' && isUnanswered) return importedMessages.noAnswer;
  if (field === 'ques_option' && draft.ques_option.length === 0) return importedMessages.noOptions;
  return message === draftMessages.incomplete && fieldNames[field] ? fieldMissingMessage(fieldNames[field]) : message;
}
