/**
 * Placed inside a form: keeps the form's fields as a draft in the browser and offers the draft again. Does nothing
 * without client JS.
 */
import { Button } from '@mantine/core';
import { type ComponentProps, useEffect, useEffectEvent, useRef } from 'react';
import { type Fields, keepForm } from './client/drafts/keep-form.ts';
import styles from './draft.module.css';
import { Island } from './island.tsx';
import { useRootData } from './root-data.ts';

interface DraftProps {
  /** Name of the form and its record, such as `notice 12` or `notice of class 3`. */
  name: string;
  /** For forms whose fields React controls: receives the values of the draft. */
  restore?: (fields: Fields) => void;
}

/** Hidden box that offers the draft. keepForm fills and shows it if there is one. */
export const DraftOfferBox = (place: ComponentProps<'div'>) => (
  <div {...place} className={styles.offer} hidden>
    <p />
    <Button>恢复上次未提交的内容</Button>
    <Button variant="default">放弃</Button>
  </div>
);

export function Draft(props: DraftProps) {
  const { me: person, inIsland } = useRootData() ?? {};
  if (!person) return null;
  if (inIsland) return <LiveDraft {...props} person={person.id} />;
  return (
    <Island
      name="form-draft.island"
      props={{}}
      fallback={<DraftOfferBox data-draft={props.name} data-person={person.id} />}
    />
  );
}

function LiveDraft({ name, person, restore }: DraftProps & { person: number }) {
  const place = useRef<HTMLDivElement>(null);
  const give = useEffectEvent((fields: Fields) => restore?.(fields));
  const isReact = restore !== undefined;
  useEffect(() => {
    const form = place.current?.closest('form');
    if (!place.current || !form) return;
    const stand = place.current;
    // Delayed until hydration has replaced the fields.
    let stop: (() => void) | undefined;
    const timer = setTimeout(() => {
      stop = keepForm(form, stand, { person, name, ...(isReact && { restore: (fields) => give(fields) }) });
    });
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [name, person, isReact]);
  return <DraftOfferBox ref={place} />;
}
