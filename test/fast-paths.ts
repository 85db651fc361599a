// The fast paths that gateways under test use. `TOLLGATE_FAST_PATHS=off npm test -- FILE` runs the file the plain way.
import { allFastPaths } from '../src/base/fast-paths.ts'

export const fastPaths = allFastPaths(process.env.TOLLGATE_FAST_PATHS !== 'off')
