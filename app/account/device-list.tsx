/** Tab 登录设备: the devices on which the user is signed in. */
import { Alert } from '@mantine/core';
import type { Device } from '#server/account/contract.ts';
import { deviceName, plainIpAddress } from '#server/account/rules.ts';
import { formatTime } from '../lib/dates.ts';
import { Form, Submit } from '../ui/form.tsx';
import { NearMoment } from '../ui/moment.tsx';
import styles from './account.posts.module.css';

interface DeviceListProps {
  devices: Device[];
  timezone: string;
  message: string | undefined;
}

export function DeviceList({ devices, timezone, message }: DeviceListProps) {
  return (
    <section aria-labelledby="devices-title">
      <div className={styles.head}>
        <h2 id="devices-title">已登录的设备</h2>
        {devices.length > 1 && (
          <Form>
            <Submit intent="sign-out others" color="red">
              退出其他全部设备
            </Submit>
          </Form>
        )}
      </div>
      {message && <Alert>{message}</Alert>}
      <ul className={styles.devices}>
        {devices.map(({ id, device, address, created_at, used_at, is_current }) => (
          <li key={id}>
            <div className={styles.device}>
              <p className={styles.deviceName} title={device}>
                {deviceName(device)}
                {is_current === 1 && <span className={styles.current}>当前设备</span>}
              </p>
              <p className={styles.note}>
                登录于 <NearMoment at={created_at} /> · 最近使用 <NearMoment at={used_at} />
                {address && ` · 地址 ${plainIpAddress(address)}`}
              </p>
            </div>
            {is_current === 0 && (
              <Form>
                <Submit
                  intent={`sign-out ${id}`}
                  variant="default"
                  aria-label={`退出该设备：${deviceName(device)}，登录于 ${formatTime(created_at, timezone)}`}
                >
                  退出该设备
                </Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
