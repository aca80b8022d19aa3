/** Tab with the leave requests of a class, updated live. */
import { Alert } from '@mantine/core';
import { LeaveList } from '../../attendance/leave-list.tsx';
import { leaveStream } from '../../attendance/screens.ts';
import { leaveStatusChoices } from '../../attendance/terms.ts';
import type { RefusedForm } from '../../ui/form-state.ts';
import { Island } from '../../ui/island.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classLeave } from '../screens.ts';

export function LeaveTab({ shown, theClass, refused }: TabProps<'leave'> & { refused: RefusedForm | undefined }) {
  const { leave, undoable, mark, pending, idempotencyKey } = shown;
  const address = useAddress(classLeave);
  const view = address.without('chosen', 'ticked');
  const { filter } = view;
  // Number of waiting requests. The list's total can be used if it shows only waiting ones.
  const waiting = filter.op_status === 1 ? leave.total : view.isFiltered ? 0 : pending;
  return (
    <>
      {refused && <Alert>{refused.msg}</Alert>}
      <LeaveList
        view={view}
        here={address.here}
        result={leave}
        pending={waiting}
        allChosen={(limit) => address.with({ page: 1, limit, chosen: 'pending' })}
        noneChosen={view.with({ page: 1, limit: undefined })}
        isAllChosen={address.filter.chosen !== undefined}
        ticked={address.filter.ticked}
        undoable={undoable}
        isSorted
        idempotencyKey={idempotencyKey}
        nothing="暂无请假记录"
        filtering={{
          nothingFound: '没有符合条件的请假申请',
          filters: {
            first: [
              { label: '学员/手机号', name: 'nickname', value: filter.nickname },
              { label: '状态', name: 'op_status', value: filter.op_status, choices: leaveStatusChoices },
            ],
          },
        }}
      />
      <Island
        name="leave-live.island"
        props={{ stream: leaveStream.href({ id: theClass.id }), mark }}
        fallback={null}
      />
    </>
  );
}
