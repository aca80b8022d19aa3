import { cas } from './cas.ts';
import { dingtalk } from './dingtalk.ts';
import { feishu } from './feishu.ts';
import type { Protocol } from './provider.ts';
import type { ProviderKind } from './rules.ts';
import { wecom } from './wecom.ts';

/** Loads the OpenID Connect library only when it is first needed, because few schools use it. */
const openIdConnect = async (): Promise<Protocol> => (await import('./oidc.ts')).oidc;
const oidc: Protocol = {
  begin: async (...given) => (await openIdConnect()).begin(...given),
  complete: async (...given) => (await openIdConnect()).complete(...given),
  leave: async (...given) => (await openIdConnect()).leave?.(...given),
  attempt: async (...given) => (await openIdConnect()).attempt(...given),
};

/** The implementation for each kind of provider. */
export const protocols: Record<ProviderKind, Protocol> = { oidc, cas, wecom, dingtalk, feishu };
