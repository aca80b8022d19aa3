/** The answer card: a numbered button per answer, and the number of answers per status. */
import { memo } from 'react';
import type { AnswerStatus, CardItem } from '#server/grading-desk/answer.contract.ts';
import { answerStatusNames, type StatusCount } from '../terms.ts';
import styles from './answer-card.work.module.css';
import type { CardButton } from './navigation.ts';

interface AnswerCardProps {
  places: readonly CardButton[];
  /** The buttons of the card by section, if the paper has sections. */
  sections?: readonly { id: number; name: string; places: readonly CardButton[] }[];
  counts: readonly StatusCount[];
  /**
   * Id of the grading form. The buttons submit it, so that typed text is saved before another answer opens. Undefined
   * on the tab of objective questions.
   */
  form: string | undefined;
  onChoose?: ((id: number) => void) | undefined;
  /** Address that a button links to where there is no form. */
  href?: ((id: number) => string) | undefined;
  label?: string;
}

/** Answer card buttons of a read-only report. No place is current. */
export const readOnlyPlaces = (items: readonly CardItem[]): CardButton[] =>
  items.map(({ question_id, sort, status }) => ({ id: question_id, label: sort, status, here: false }));

export function AnswerCard({ places, sections, counts, form, onChoose, href, label = '答题卡' }: AnswerCardProps) {
  const list = (some: readonly CardButton[]) => (
    <ol className={styles.places}>
      {some.map(({ id, label: number, status, here, signed }) => (
        <li key={id}>
          <Place
            number={number}
            status={status}
            here={here}
            signed={signed}
            id={id}
            form={form}
            onChoose={onChoose}
            href={href}
          />
        </li>
      ))}
    </ol>
  );
  return (
    <section className={styles.card} aria-label={label}>
      <h2>{label}</h2>
      <ul className={styles.counts}>
        {counts.map(({ status, name, count }) => (
          <li key={status} data-status={status}>
            {name} <strong>{count}</strong>
          </li>
        ))}
      </ul>
      {sections
        ? sections.map(({ id, name, places: some }) => (
            <div key={id}>
              <h3>{name}</h3>
              {list(some)}
            </div>
          ))
        : list(places)}
    </section>
  );
}

const Place = memo(function Place({
  id,
  number,
  status,
  here,
  signed,
  form,
  onChoose,
  href,
}: {
  id: number;
  number: string;
  status: AnswerStatus;
  here: boolean;
  signed: boolean | undefined;
  form: string | undefined;
  onChoose?: ((id: number) => void) | undefined;
  href?: ((id: number) => string) | undefined;
}) {
  const name = `${number} ${answerStatusNames[status]}${signed ? '，学员标记' : ''}`;
  const common = {
    className: styles.place,
    'data-status': status,
    'data-signed': signed || undefined,
    'aria-label': name,
    title: name,
    'aria-current': here ? ('true' as const) : undefined,
  };
  if (form) {
    return (
      <button
        {...common}
        type="submit"
        form={form}
        name="intent"
        value={`goto ${id}`}
        onClick={(event) => {
          if (!onChoose) return;
          event.preventDefault();
          onChoose(id);
        }}
      >
        {number}
      </button>
    );
  }
  if (href) {
    return (
      <a {...common} href={href(id)}>
        {number}
      </a>
    );
  }
  return (
    <span {...common} role="img">
      {number}
    </span>
  );
});
