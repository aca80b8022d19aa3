/** Preview of a question that is being edited. */
import { optionLetter } from '#server/platform/text/rules.ts';
import { hasOptions, type QuestionDraft } from '#server/questions/rules.ts';
import { typedBlanks } from './question-codec.ts';
import { htmlOf } from './rich-text.ts';

/** Returns the texts of a question, in the order in which `renderDraft` takes them. */
export function textsOf(draft: QuestionDraft): string[] {
  const { ques_type, ques_stem, ques_option, right_answer, ques_analysis, ques_item } = draft;
  const answer = ques_type === 5 ? right_answer : ques_type === 7 ? htmlOf(typedBlanks(draft).join('；')) : '';
  const options = hasOptions(ques_type) ? ques_option.map(({ content }) => content) : [];
  return [ques_stem, answer, ques_analysis, ...options, ...(ques_type === 6 ? ques_item.flatMap(textsOf) : [])];
}

export interface RenderedQuestion {
  ques_type: number;
  facility_value?: number;
  ques_option: { is_right: 1 | 2 }[];
  ignore_case: 0 | 1;
  display: { ques_stem: string; ques_option: string[]; right_answer: string; ques_analysis: string };
  ques_item?: RenderedQuestion[];
}

/** Returns a question with the texts that the server has rendered. */
export function renderDraft(draft: QuestionDraft, shown: readonly string[]): RenderedQuestion {
  const left = [...shown];
  const take = (question: QuestionDraft): RenderedQuestion => {
    const [ques_stem = '', answer = '', ques_analysis = ''] = left.splice(0, 3);
    const options = hasOptions(question.ques_type) ? question.ques_option : [];
    const right = options.flatMap(({ is_right }, index) => (is_right === 1 ? [index] : []));
    const letters = right.map(optionLetter).join('、');
    const chosen = question.ques_type === 2 ? (options[right[0] ?? -1]?.content ?? '') : letters;
    return {
      ques_type: question.ques_type,
      facility_value: question.facility_value,
      ques_option: options.map(({ is_right }) => ({ is_right })),
      ignore_case: question.ignore_case,
      display: {
        ques_stem,
        ques_option: left.splice(0, options.length),
        right_answer: hasOptions(question.ques_type) ? chosen : answer,
        ques_analysis,
      },
      ques_item: question.ques_type === 6 ? question.ques_item.map(take) : [],
    };
  };
  return take(draft);
}
