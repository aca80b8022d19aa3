import type { HistoryRow, listClassHistory } from '#server/history/contract.ts';
import type { AnswerOf } from '#server/platform/calls/call.ts';
import { historyColumns } from '../../history/columns.tsx';
import { List } from '../../ui/list.tsx';
import { useAddress } from '../../ui/screen.tsx';
import { usePerson } from '../../ui/use-school.ts';
import { adminClassHistory } from '../screens.ts';

export function HistoryTab({ changes }: { changes: AnswerOf<typeof listClassHistory> }) {
  const view = useAddress(adminClassHistory);
  return (
    <List<HistoryRow>
      view={view}
      result={changes}
      caption="操作记录"
      columns={historyColumns(usePerson())}
      nothing="暂无操作记录"
    />
  );
}
