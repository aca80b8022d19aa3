/** Leave requests of a class, kept up to date while it is looked at. */
import { Alert } from '@mantine/core';
import { LeaveList } from '../../attendance/leave-list.tsx';
import { leaveStream } from '../../attendance/screens.ts';
import type { Refused } from '../../ui/form-state.ts';
import { Island } from '../../ui/island.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classLeave } from '../screens.ts';

export function LeaveTab({ shown, klass, refused }: TabProps<'leave'> & { refused: Refused | undefined }) {
  const { leave, undoable, mark, pending, idempotencyKey } = shown;
  const asked = useAddress(classLeave);
  const view = asked.without('chosen', 'ticked');
  return (
    <>
      {refused && <Alert>{refused.msg}</Alert>}
      <LeaveList
        view={view}
        here={asked.here}
        result={leave}
        pending={pending}
        allChosen={(limit) => classLeave.href({ id: klass.id, limit, chosen: 'pending' })}
        noneChosen={classLeave.href({ id: klass.id })}
        isAllChosen={asked.filter.chosen !== undefined}
        ticked={asked.filter.ticked}
        undoable={undoable}
        idempotencyKey={idempotencyKey}
        nothing="暂无请假记录"
      />
      <Island name="leave-live.island" props={{ stream: leaveStream.href({ id: klass.id }), mark }} fallback={null} />
    </>
  );
}
