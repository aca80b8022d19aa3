import { Button } from '@mantine/core';

/** A form, so that nothing makes files ahead of a click. It opens in a window of its own. */
export function ExportButton({ action }: { action: string }) {
  return (
    <form method="post" action={action} target="_blank" className="no-print" rel="noopener">
      <Button type="submit" name="make" value="file" variant="default">
        导出
      </Button>
    </form>
  );
}
