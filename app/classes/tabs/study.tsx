import type { StudyRow } from '#server/attendance/contract.ts';
import { figureColumns } from '../../attendance/figure-columns.tsx';
import { studentDetail } from '../../attendance/screens.ts';
import { mobileColumn } from '../../ui/columns.tsx';
import { ExportButton } from '../../ui/export-button.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classStudy } from '../screens.ts';

export function StudyTab({ shown: { study, schools }, theClass }: TabProps<'study'>) {
  const view = useAddress(classStudy);
  const { filter } = view;
  return (
    <List<StudyRow>
      view={view}
      result={study}
      caption="学习统计"
      columns={[
        {
          key: 'nickname',
          header: '学员',
          minWidth: 120,
          cell: ({ id, uid, nickname }) => (
            <a href={studentDetail.href({ id, uid, class_id: theClass.id })}>{nickname}</a>
          ),
        },
        mobileColumn(),
        { key: 'org_name', header: '校区', minWidth: 120, cell: (row) => row.org_name },
        ...figureColumns(() => true, true),
      ]}
      nothing="暂无学员"
      nothingFound="没有符合条件的学员"
      filters={{
        first: [
          { label: '学员', name: 'nickname', value: filter.nickname },
          { label: '手机号', name: 'mobile', value: filter.mobile },
          { label: '校区', name: 'org_id', value: filter.org_id, choices: choicesOf(schools) },
        ],
      }}
      actions={<ExportButton action={view.here} />}
    />
  );
}
