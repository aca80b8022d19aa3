import type { Edit, Operation, QuestionFormState } from './question-operations.ts';

export interface QuestionFormContext {
  /** Paths of knowledge points to choose from. */
  points?: readonly string[] | undefined;
  /** Tags to choose from. */
  tags?: readonly string[] | undefined;
  asking: QuestionFormState['asking'];
  /** Applies an operation in the browser. Undefined without client JS, where buttons submit the form instead. */
  dispatch: ((action: Operation | Edit) => void) | undefined;
}
