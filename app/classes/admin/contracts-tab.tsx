import type { ContractRow, listContracts } from '#server/group-classes/admin.contract.ts';
import { signTypeNames } from '#server/group-classes/rules.ts';
import type { AnswerOf } from '#server/platform/calls/call.ts';
import { yuan } from '../../group-classes/terms.ts';
import { actionsColumn, mobileColumn, numberColumn } from '../../ui/columns.tsx';
import { List } from '../../ui/list.tsx';
import { timeColumn } from '../../ui/moment.tsx';
import { useAddress } from '../../ui/screen.tsx';
import { adminClassContracts, contractEdit } from '../screens.ts';
import { memberStatusNames } from '../terms.ts';

export function ContractsTab({ contracts }: { contracts: AnswerOf<typeof listContracts> }) {
  const view = useAddress(adminClassContracts);
  return (
    <List<ContractRow>
      view={view}
      result={contracts}
      caption="合同列表"
      columns={[
        { key: 'name', header: '学员', minWidth: 90, cell: (row) => row.nickname },
        mobileColumn(),
        timeColumn('joined', '入班时间', (row) => row.joined_at),
        { key: 'status', header: '状态', nowrap: true, cell: (row) => memberStatusNames[row.left_at === 0 ? 1 : 2] },
        { key: 'number', header: '合同编号', cell: (row) => row.contracts_number || '未填写' },
        { key: 'sign', header: '计费', nowrap: true, cell: (row) => signTypeNames[row.sign_type] },
        numberColumn('left', '剩余课时', (row) => row.remaining_lessons),
        numberColumn('attended', '已上课时', (row) => row.lessons_attended),
        numberColumn('price', '单价', (row) => yuan(row.periods_price)),
        numberColumn('minutes', '每课时', (row) => `${row.lesson_minutes}分钟`),
        actionsColumn((row) => [
          {
            label: row.contracts_number === '' ? '填写' : '修改',
            recordName: row.nickname,
            href: contractEdit.href(view.here, { member: row.id }),
          },
        ]),
      ]}
      nothing="该班级还没有学员"
    />
  );
}
