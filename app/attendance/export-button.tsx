import { buttonClass } from '../ui/button.tsx';

/** A form, so that nothing makes files ahead of a click. It opens in a window of its own. */
export function ExportButton({ action }: { action: string }) {
  return (
    <form method="post" action={action} target="_blank" className="no-print" rel="noopener">
      <button type="submit" name="make" value="file" className={buttonClass('plain')}>
        导出
      </button>
    </form>
  );
}
