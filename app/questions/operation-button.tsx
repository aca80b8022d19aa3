import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { rowActionClass } from '../ui/row-action.tsx';
import type { QuestionFormContext } from './question-form-context.ts';
import { type Operation, operationValue } from './question-operations.ts';

interface OperationButtonProps {
  context: QuestionFormContext;
  operation: Operation;
  /** Id of the element to which the page scrolls when it returns; only needed without client JS. */
  anchor: string;
  kind?: 'row' | 'plain' | 'danger';
  /** True to submit the form as multipart, so that it includes files. */
  isUpload?: boolean;
  id?: string;
  label?: string;
  children: ReactNode;
}

/** Button for an operation of the question form. With client JS the operation runs in the browser. */
export function OperationButton({
  context,
  operation,
  anchor,
  kind = 'row',
  isUpload,
  id,
  label,
  children,
}: OperationButtonProps) {
  const { dispatch } = context;
  const button = {
    type: 'submit',
    name: 'intent',
    value: operationValue(operation),
    formAction: `#${anchor}`,
    formEncType: isUpload ? 'multipart/form-data' : undefined,
    id,
    'aria-label': label,
    onClick:
      dispatch &&
      ((event: { preventDefault: () => void }) => {
        event.preventDefault();
        dispatch(operation);
      }),
    children,
  } as const;
  if (kind === 'row') return <button {...button} className={rowActionClass} />;
  return <Button {...button} {...(kind === 'danger' ? { color: 'red' } : { variant: 'default' })} />;
}

/** Asks for confirmation of an operation; shown in place of its button. */
export function ConfirmOperation({
  context,
  question,
  operation,
  anchor,
}: {
  context: QuestionFormContext;
  question: string;
  operation: Operation;
  anchor: string;
}) {
  return (
    <fieldset aria-label={question}>
      <span role="alert">{question}</span>
      <OperationButton context={context} operation={operation} anchor={anchor} kind="danger">
        确定
      </OperationButton>
      <OperationButton context={context} operation={{ kind: 'cancel' }} anchor={anchor} kind="plain">
        取消
      </OperationButton>
    </fieldset>
  );
}
