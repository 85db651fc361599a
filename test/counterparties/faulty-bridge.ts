// The starter bridge behind a proxy that changes its answers.
import { type FaultyProxy, openFaultyProxy } from './faulty-proxy.ts'
import { startStarterBridge } from './starter-bridge.ts'

/** Opens the bridge and the proxy. Closing the proxy ends both. */
export async function openFaultyBridge(): Promise<FaultyProxy> {
  const bridge = await startStarterBridge()
  const proxy = await openFaultyProxy(bridge.url)
  return {
    ...proxy,
    async close() {
      await proxy.close()
      await bridge.close()
    },
  }
}
