// npm run manifest: takes the scripts as they are now into the manifest, for whoever reviews the change to see.
import { writeFileSync } from 'node:fs'
import { assetsFolder, hashScripts, manifestFile } from './manifest.ts'

writeFileSync(manifestFile, `${JSON.stringify(hashScripts(assetsFolder), null, 2)}\n`)
