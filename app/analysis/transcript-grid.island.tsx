/** The grid (表格视图) of the transcript, with the columns of the list. */
import type { TranscriptRow } from '#server/analysis/transcript.contract.ts';
import { GridTable } from '../ui/client/grid-table.tsx';
import { mountIsland } from '../ui/client/mount-island.tsx';
import { columnsOf, type TranscriptListProps } from './transcript-columns.tsx';

function TranscriptGrid({ place, timezone, now, header, rows }: TranscriptListProps) {
  return (
    <GridTable<TranscriptRow>
      caption="成绩单"
      name="transcript"
      columns={columnsOf({ place, timezone, now, header })}
      rows={rows}
      rowKey={(row) => row.id}
      empty="没有符合条件的学员"
    />
  );
}

mountIsland('transcript-grid.island', TranscriptGrid);
