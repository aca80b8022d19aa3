// Page for board.test.ts: the real board and the real keypad input. It records the calls that the page gets from them.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type BoardImageItem, MarkupBoard } from '../../../app/grading/board/markup-board.tsx';
import { KeypadInput } from '../../../app/ui/client/keypad.tsx';

export interface BoardPage {
  open: (images: BoardImageItem[], index: number) => void;
  /** Calls of onSave; `flattened` as a data: address. */
  saves: { index: number; draw: string; flattened: string; bytes: number }[];
  /** Mark-up that onChange passed. Null if it equals the saved one. */
  drafts: { index: number; draw: string | null }[];
  /** Calls of onClose. */
  closed: boolean[];
  scores: string[];
  /** True to refuse the next save. */
  refuse: boolean;
}

declare global {
  interface Window {
    boardPage: BoardPage;
  }
}

function Page() {
  const [opened, setOpened] = useState<{ images: BoardImageItem[]; index: number } | null>(null);
  window.boardPage.open = (images, index) => setOpened({ images, index });
  return (
    <main style={{ minHeight: 700 }}>
      <button type="button" id="opener">
        批注
      </button>
      <form>
        <label htmlFor="score">得分</label>{' '}
        <KeypadInput
          id="score"
          name="score"
          max={10}
          decimals={1}
          onValueChange={(it) => window.boardPage.scores.push(it)}
        />
        <button type="submit">提交</button>
      </form>
      {opened && (
        <MarkupBoard
          images={opened.images}
          index={opened.index}
          onChange={(index, draw) => window.boardPage.drafts.push({ index, draw })}
          onSave={async (index, draw, flattened) => {
            if (window.boardPage.refuse) throw new Error('refused');
            const url = await new Promise<string>((resolve) => {
              const reader = new FileReader();
              reader.onload = () => resolve(String(reader.result));
              reader.readAsDataURL(flattened);
            });
            window.boardPage.saves.push({ index, draw, flattened: url, bytes: flattened.size });
          }}
          onClose={(saved) => {
            window.boardPage.closed.push(saved);
            setOpened(null);
          }}
        />
      )}
    </main>
  );
}

window.boardPage = { open: () => {}, saves: [], drafts: [], closed: [], scores: [], refuse: false };
const root = document.getElementById('root');
if (root) createRoot(root).render(<Page />);
