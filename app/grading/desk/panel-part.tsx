import type { KeypadChange } from '../../ui/client/keypad-value.ts';
import type { Draft } from './draft-storage.ts';
import styles from './grade-panel.work.module.css';

export interface PanelHandlers {
  type: (change: Partial<Draft>) => void;
  score: (text: string, changed: KeypadChange | undefined) => void;
  save: () => void;
  comment: (comment: string) => void;
  editComments: () => void;
  attach: (files: readonly File[]) => void;
}

export interface PartProps {
  draft: Draft;
  fault: string | undefined;
  type: PanelHandlers['type'];
  hints: boolean;
}

export const faultId = (name: string) => `${name}-error`;

export function Fault({ name, text }: { name: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p className={styles.fault} id={faultId(name)} role="alert">
      {text}
    </p>
  );
}
