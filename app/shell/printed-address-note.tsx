import { type AddressReaders, printedAddressFault } from '#server/settings/rules.ts';
import { identityScreen } from '../identity/screens.ts';
import { usePerson } from '../ui/use-school.ts';

/** Warns before an address is printed that its readers cannot open. */
export function PrintedAddressNote({ address, readers }: { address: string; readers: AddressReaders }) {
  const person = usePerson();
  const fault = printedAddressFault(address, readers);
  if (!fault) return null;
  const maySet = person?.every_school === 1 && person.permissions.includes('settings');
  return (
    <p className="no-print" role="note">
      {fault}。打印以前，请
      {maySet ? (
        <>
          在<a href={identityScreen.href()}>统一登录</a>中填写“本系统的地址”
        </>
      ) : (
        '管理全部学校的教务填写“本系统的地址”'
      )}
      。
    </p>
  );
}
