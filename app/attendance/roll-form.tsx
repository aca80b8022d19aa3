/**
 * Form of a roll call: radio buttons per student, 全部出勤 for all students without a status, one button to save. Works
 * without client JS, and by thumb on a phone.
 */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Empty } from '../ui/empty.tsx';
import { Form, Submit } from '../ui/form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import styles from './roll-form.posts.module.css';
import { rollFields } from './roll-marks.ts';

export interface RollRow {
  id: number;
  name: string;
  about: string;
  status: string;
  /** Status that is chosen at first. Default: the current status. */
  preset?: string | undefined;
  /** Statuses to choose from in display order, including the current one. */
  choices: { status: string; name: string }[];
}

interface RollFormProps {
  rows: RollRow[];
  /** True if a student without a status can be set to present. */
  offersAll: boolean;
  refused: RefusedForm | undefined;
  idempotencyKey: string;
  backHref: string;
  children?: ReactNode;
}

export function RollForm({ rows, offersAll, refused, idempotencyKey, backHref, children }: RollFormProps) {
  if (rows.length === 0) return <Empty>没有需要点名的学员</Empty>;
  const typed = new Map(refused?.typed ?? []);
  const isOpen = rows.some(({ choices }) => choices.length > 1);
  const changed = refused ? rows.filter((row) => chosenOf(row, typed) !== row.status).length : 0;
  return (
    <Form idempotencyKey={idempotencyKey} refused={refused}>
      {changed > 0 && (
        <p role="status" className={styles.changed}>
          已选好{changed}人，保存后生效
        </p>
      )}
      <ul className={styles.rows}>
        {rows.map((row) => (
          <Row key={row.id} row={row} typed={typed} />
        ))}
      </ul>
      {children}
      <div className={styles.bar}>
        {/* The first button of the form, so that Enter presses it. */}
        <Submit intent="save" disabled={!isOpen} className={styles.save}>
          保存
        </Submit>
        {offersAll && (
          <Submit intent="all" variant="default">
            全部出勤
          </Submit>
        )}
        <Button component="a" href={backHref} variant="default">
          返回
        </Button>
      </div>
    </Form>
  );
}

/** Returns the choice to show for a student. A typed choice counts only while the student's status still offers it. */
function chosenOf({ id, status, preset = status, choices }: RollRow, typed: ReadonlyMap<string, string>): string {
  const chosen = typed.get(rollFields.chosen(id));
  const isOffered = choices.some((choice) => choice.status === chosen);
  return chosen !== undefined && isOffered && typed.get(rollFields.shown(id)) === status ? chosen : preset;
}

function Row({ row, typed }: { row: RollRow; typed: ReadonlyMap<string, string> }) {
  const { id, name, about, status, choices } = row;
  const nameOf = (wanted: string | undefined) => choices.find((choice) => choice.status === wanted)?.name;
  const shown = typed.get(rollFields.shown(id));
  const isMoved = shown !== undefined && shown !== status;
  const chosen = chosenOf(row, typed);
  return (
    <li className={styles.row} data-moved={isMoved || undefined}>
      <div id={`student-${id}`}>
        {name}
        {about && <SubLine>{about}</SubLine>}
        {isMoved && (
          <SubLine>
            已有人改为“{nameOf(status)}”{typed.get(rollFields.chosen(id)) !== status && '，请重新选择'}
          </SubLine>
        )}
      </div>
      {choices.length > 1 ? (
        <div role="radiogroup" aria-labelledby={`student-${id}`} className={styles.choices}>
          <input type="hidden" name={rollFields.shown(id)} value={status} />
          {choices.map((choice) => (
            <label key={choice.status}>
              <input
                type="radio"
                name={rollFields.chosen(id)}
                value={choice.status}
                defaultChecked={choice.status === chosen}
              />
              <span>{choice.name}</span>
            </label>
          ))}
        </div>
      ) : (
        <Tag>{nameOf(status) ?? ''}</Tag>
      )}
    </li>
  );
}
