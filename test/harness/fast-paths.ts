// The fast paths of gateways under test. `TOLLGATE_FAST_PATHS=off npm test -- FILE` runs the file without them.
import { allFastPaths } from '../../src/platform/base/fast-paths.ts'

export const fastPaths = allFastPaths(process.env.TOLLGATE_FAST_PATHS !== 'off')
