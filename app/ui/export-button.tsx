import { Form, Submit } from './form.tsx';

interface ExportButtonProps {
  /** The list, or the screen, whose action answers with the file. */
  action: string;
  /** Where the screen's action makes several things. */
  intent?: string;
  inNewWindow?: boolean;
}

/** A form, so that nothing makes files ahead of a click. */
export function ExportButton({ action, intent = 'export', inNewWindow }: ExportButtonProps) {
  return (
    <Form action={action} className="no-print" target={inNewWindow ? '_blank' : undefined}>
      <Submit intent={intent} variant="default">
        导出
      </Submit>
    </Form>
  );
}
