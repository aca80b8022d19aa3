import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Edit, Operation, QuestionFormState } from './question-operations.ts';

/** Shared by all parts of the question form. */
export interface QuestionFormContext {
  /** Prefix of all field names, where a page holds several questions. */
  prefix: string;
  /** By path as `checkQuestion` returns it, without the prefix. */
  errors: FieldErrors;
  asking: QuestionFormState['asking'];
  /** Undefined without client JS: then buttons submit the form. */
  dispatch: ((action: Operation | Edit) => void) | undefined;
}
