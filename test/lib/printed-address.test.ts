import { expect, it } from 'vitest';
import { printedAddressFault } from '#server/settings/rules.ts';

const machine = '这个地址只有服务器本机能打开，学员的手机打不开';
const network = '这个地址在内网中，学员不连学校的网络时打不开';

it.each([
  [undefined, ['https://school.example/learn', 'http://8.8.8.8/learn', 'https://172.32.0.1', 'https://[2001:db8::1]']],
  [machine, ['http://localhost:8080/learn', 'https://app.localhost', 'http://127.1.2.3', 'http://[::1]:80']],
  [
    network,
    [
      'http://10.0.0.8:8080/learn',
      'https://172.16.0.1',
      'https://192.168.1.20',
      'https://169.254.1.1',
      'https://100.64.0.1',
      'https://[fd00::1]',
      'https://[fe80::1]',
      'https://server/learn',
      'https://school.local',
    ],
  ],
] as const)('warns before printing an address with the fault %s', (fault, addresses) => {
  expect(addresses.map((address) => [address, printedAddressFault(address, 'learners')])).toEqual(
    addresses.map((address) => [address, fault]),
  );
});

it('warns staff only of an address of the server alone', () => {
  expect(printedAddressFault('http://127.0.0.1:3000/login', 'staff')).toBe(
    '这个地址只有服务器本机能打开，别的电脑打不开',
  );
  expect(printedAddressFault('http://192.168.1.20/login', 'staff')).toBeUndefined();
});
