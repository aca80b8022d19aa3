/** What the parts of the question form share. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Edit, Operation, QuestionFormState } from './question-operations.ts';

/** What every piece of the form needs to know. */
export interface QuestionFormContext {
  /** Before every name, where a page holds several questions. */
  prefix: string;
  /** By path, as `checkQuestion` names them; without the prefix. */
  errors: FieldErrors;
  asking: QuestionFormState['asking'];
  /** Undefined without client JS: then the buttons submit. */
  dispatch: ((action: Operation | Edit) => void) | undefined;
}
