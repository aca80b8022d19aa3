/** Adds the autosave script to a form of answers. */
import { DraftOfferBox } from '../ui/draft.tsx';
import { Island } from '../ui/island.tsx';
import { learnerKey, useLearner } from './layout.tsx';
import styles from './learn.learn.module.css';
import { learnHome, learnPicture } from './screens.ts';

/**
 * `name` is the id of the draft in this browser, `save` the address that saves the form. `refused` is true if the
 * posted form was refused.
 */
export function AnswerSaving({ name, save, refused }: { name: string; save: string; refused: boolean }) {
  const me = useLearner();
  if (!me) return null;
  return (
    <Island
      name="answer-form.island"
      props={{
        name,
        save,
        upload: learnPicture.href(),
        person: learnerKey(me),
        start: learnHome.href(),
        refused,
      }}
      fallback={<DraftOfferBox data-answers />}
    />
  );
}

/** Status line that the autosave script fills. */
export const SaveState = () => <p className={styles.saveState} data-save-state role="status" />;
