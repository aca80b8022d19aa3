import { Form, Submit } from '../ui/form.tsx';

/** A form, so that nothing makes files ahead of a click. It opens in a window of its own. */
export function ExportButton({ action }: { action: string }) {
  return (
    <Form action={action} target="_blank" className="no-print" rel="noopener">
      <Submit intent="export" variant="default">
        导出
      </Submit>
    </Form>
  );
}
