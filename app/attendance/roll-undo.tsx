/** Offers to undo the last roll call or the last change of a status, while that is possible. */
import type { UndoableRoll } from '#server/attendance/roll.contract.ts';
import { UndoLine } from '../ui/undo-line.tsx';

interface RollUndoProps {
  roll: UndoableRoll | null;
  /** 保存 after a roll call, 修改 after a change of one student's status. */
  did?: '保存' | '修改';
  action: string;
  idempotencyKey: string;
}

export function RollUndo({ roll, did = '修改', action, idempotencyKey }: RollUndoProps) {
  if (!roll) return null;
  return (
    <UndoLine
      did={`已${did}${roll.count}人的考勤`}
      until={roll.until}
      id={roll.roll_id}
      action={action}
      idempotencyKey={idempotencyKey}
    />
  );
}
