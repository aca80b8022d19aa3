/** Validates stored forms. The browser loads this module only if it has a stored draft. */
import * as v from 'valibot';
import type { PublishForm } from './form.ts';

const Draft = v.object({
  ques_type: v.picklist([1, 2, 3, 4, 5, 6, 7]),
  ques_stem: v.string(),
  ques_option: v.array(v.object({ id: v.number(), content: v.string(), is_right: v.picklist([1, 2]) })),
  right_answer: v.string(),
  ignore_case: v.optional(v.picklist([0, 1]), 0),
  ques_analysis: v.string(),
  facility_value: v.number(),
  remark: v.string(),
});

const Keys = v.array(v.number());

const Content = {
  source_id: v.nullable(v.number()),
  draft: v.object({
    ...Draft.entries,
    ques_item: v.array(v.object({ ...Draft.entries, ques_item: v.fallback(v.array(v.never()), []) })),
  }),
  scores: v.array(v.string()),
  given: v.optional(v.array(v.string()), []),
};

const Form = v.object({
  course_basis_id: v.string(),
  publish_scope: v.string(),
  child_course_basis_ids: v.array(v.string()),
  type: v.string(),
  course_periods_id: v.string(),
  name: v.string(),
  remark: v.string(),
  ending_time: v.string(),
  is_set_score: v.string(),
  right_answers: v.optional(v.string(), '1'),
  class_choice: v.string(),
  class_ids: v.array(v.string()),
  questions: v.array(
    v.object({
      key: v.number(),
      ...Content,
      before: v.optional(v.object(Content)),
      tried: v.optional(Keys),
    }),
  ),
  selected: Keys,
  next_key: v.number(),
  submit_key: v.string(),
  panel: v.nullable(
    v.variant('kind', [
      v.object({ kind: v.literal('remove'), keys: Keys, selected: v.boolean() }),
      v.object({
        kind: v.literal('batch'),
        values: v.record(v.string(), v.string()),
        error: v.optional(v.string()),
      }),
      v.object({ kind: v.literal('publish'), past: v.boolean() }),
    ]),
  ),
});

/** Serialises a form to store it. Equal forms give equal text. */
export const formText = (form: PublishForm): string => JSON.stringify(v.parse(Form, { ...form, panel: null }));

/** Parses a stored form. Undefined for invalid JSON and for forms of older versions of the product. */
export function parseForm(json: string): PublishForm | undefined {
  try {
    const parsed = v.safeParse(Form, JSON.parse(json));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
