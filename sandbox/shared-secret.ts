// What requests between a gateway and its sandbox are signed with, when they share a data folder and none is set.
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'

import { openSecretFolder, readOrCreateSecret } from '../src/base/secret-file.ts'

/** Whichever of the two starts first makes it. */
export function sandboxSecret(dataDir: string): string {
  const file = join(dataDir, 'sandbox', 'card-issuer.secret')
  openSecretFolder(dirname(file))
  return readOrCreateSecret(file, () => randomBytes(32).toString('hex'))
}
