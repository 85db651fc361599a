// npm run manifest: writes the hashes of the scripts to the manifest. The commit then shows each changed script.
import { writeFileSync } from 'node:fs'
import { assetsFolder, hashScripts, manifestFile } from './manifest.ts'

writeFileSync(manifestFile, `${JSON.stringify(hashScripts(assetsFolder), null, 2)}\n`)
