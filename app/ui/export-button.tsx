import { Form, Submit } from './form.tsx';

interface ExportButtonProps {
  /** Address of the list or screen whose action creates the file. */
  action: string;
  /** Value of the button. Set it if the action handles several buttons. */
  intent?: string;
  inNewWindow?: boolean;
}

/** Button that exports a list. A form, not a link, so that no prefetch creates files. */
export function ExportButton({ action, intent = 'export', inNewWindow }: ExportButtonProps) {
  return (
    <Form action={action} className="no-print" target={inNewWindow ? '_blank' : undefined}>
      <Submit intent={intent} variant="default">
        导出
      </Submit>
    </Form>
  );
}
