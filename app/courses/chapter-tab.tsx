import { Button } from '@mantine/core';
import type { ChapterRow } from '#server/courses/chapters.contract.ts';
import { deleteChapterFault } from '#server/courses/rules.ts';
import type { AddressOf } from '../lib/address.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { Form } from '../ui/form.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { chapterAdd, chapterDelete, chapterRename, type courseDetail } from './screens.ts';

export function ChapterTab({ chapters, here }: { chapters: ChapterRow[]; here: AddressOf<typeof courseDetail> }) {
  return (
    <>
      <Toolbar start={`共 ${chapters.length} 章`}>
        <Button component="a" href={chapterAdd.href(here)}>
          添加章节
        </Button>
      </Toolbar>
      <Form action={here}>
        <ListTable<ChapterRow>
          caption="章节列表"
          rows={chapters}
          rowKey={({ id }) => id}
          columns={[
            { key: 'title', header: '章节', minWidth: 200, cell: (row) => <span data-written>{row.title}</span> },
            numberColumn('periods', '课时', (row) => row.periods),
            actionsColumn(({ id, title: recordName, periods }) => [
              { label: '改名', recordName, href: chapterRename.href(here, { chapter: id }) },
              { label: '上移', recordName, intent: `raise ${id}` },
              { label: '下移', recordName, intent: `lower ${id}` },
              {
                label: '删除',
                recordName,
                href: chapterDelete.href(here, { chapter: id }),
                fault: deleteChapterFault({ periods }),
                danger: true,
              },
            ]),
          ]}
          empty="暂无章节"
        />
      </Form>
    </>
  );
}
