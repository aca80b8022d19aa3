/** Keeps a form of answers: in this browser while it is typed, at the school every ten seconds. */
import { DraftPlace } from '../ui/draft.tsx';
import { Island } from '../ui/island.tsx';
import { useLearner } from './layout.tsx';
import styles from './learn.learn.module.css';
import { learnHome } from './screens.ts';

/** `name`: the form with its record; `save`: the address that saves it; `refused`: the form came back unsaved. */
export function AnswerSaving({ name, save, refused }: { name: string; save: string; refused: boolean }) {
  const me = useLearner();
  if (!me) return null;
  return (
    <Island
      name="answer-form.island"
      props={{ name, save, person: `learner ${me.uid}`, start: learnHome.href(), refused }}
      fallback={<DraftPlace data-answers />}
    />
  );
}

/** Status line that the autosave script fills. */
export const SaveState = () => <p className={styles.saveState} data-save-state role="status" />;
