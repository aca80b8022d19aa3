import type { Edit, Operation, QuestionFormState } from './question-operations.ts';

export interface QuestionFormContext {
  asking: QuestionFormState['asking'];
  /** Applies an operation in the browser. Undefined without client JS: then buttons submit the form. */
  dispatch: ((action: Operation | Edit) => void) | undefined;
}
