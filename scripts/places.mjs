// The places of `strange-places.mjs`. Each combines many conditions, because a run of the whole suite takes minutes.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A user without an entry in /etc/passwd, as in many containers. Only root can be somebody else. */
const UNKNOWN_USER = { uid: 54_321, gid: 54_321 }

/**
 * What a place is made of. `lay` gets an empty directory and says where the checkout goes and what else holds there:
 *  - checkout    the directory that the clone is put into; `enter` is how it is reached, when by another path
 *  - env         set in the environment; `unset` is taken out of it
 *  - umask, user, closesStdin, takesPort
 *  - afterwards  runs when the clone is there, before the test command
 */
export const places = {
  private: {
    about: [
      'a clone that other users cannot enter, behind a symbolic link, in a long path with a blank, an umlaut, a quote and a $',
      'HOME and TMPDIR with a blank and an umlaut, both long; XDG_* set; umask 077; stdin closed; port 7417 taken',
      'locale POSIX, time zone Pacific/Auckland, CI=true, FORCE_COLOR, NODE_OPTIONS, variables of agents set',
      'git without an identity, with signing that fails, hooks that fail, another default branch, autocrlf',
    ],
    lay(base) {
      const closed = join(base, "mode 0700, that's ümläut $HOME `x` & co")
      const deep = join(closed, 'deep'.padEnd(60, '-deep'), 'deeper'.padEnd(60, '-deeper'))
      const [home, tmp] = [join(deep, 'my hömé'), join(deep, 'my tëmp')]
      for (const directory of [home, tmp]) mkdirSync(directory, { recursive: true })
      chmodSync(closed, 0o700)
      const enter = join(base, 'link to it')
      symlinkSync(join(deep, 'agent-mux'), enter)
      const hooks = join(base, 'git-hooks')
      mkdirSync(hooks)
      for (const hook of ['pre-commit', 'commit-msg', 'post-checkout']) {
        writeFileSync(join(hooks, hook), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      }
      writeFileSync(join(home, '.gitconfig'), oddGitConfig(hooks))
      const env = {
        HOME: home,
        TMPDIR: tmp,
        XDG_CONFIG_HOME: join(home, 'xdg config'),
        XDG_DATA_HOME: join(home, 'xdg data'),
        XDG_STATE_HOME: join(home, 'xdg state'),
        XDG_CACHE_HOME: join(home, 'xdg cache'),
        LANG: 'C',
        LC_ALL: 'POSIX',
        TZ: 'Pacific/Auckland',
        CI: 'true',
        FORCE_COLOR: '1',
        NODE_OPTIONS: '--max-http-header-size=32768',
        ...agentVariables(home),
      }
      const unset = ['NO_COLOR', 'XDG_RUNTIME_DIR']
      return { checkout: join(deep, 'agent-mux'), enter, env, unset, umask: 0o077, closesStdin: true, takesPort: 7417 }
    },
  },
  stranger: {
    about: [
      'a user without a name (when started by root), a HOME that does not exist and cannot be made',
      "the checkout's parent is read-only; umask 000; TMPDIR is a symbolic link",
      'locale tr_TR.UTF-8, time zone America/St_Johns, no CI, NO_COLOR, no TERM',
    ],
    lay(base) {
      const parent = join(base, 'read-only')
      const checkout = join(parent, 'agent-mux')
      mkdirSync(checkout, { recursive: true })
      mkdirSync(join(base, 'real-tmp'))
      chmodSync(join(base, 'real-tmp'), 0o1777)
      symlinkSync(join(base, 'real-tmp'), join(base, 'tmp'))
      mkdirSync(join(base, 'npm'), { mode: 0o777 })
      chmodSync(join(base, 'npm'), 0o777)
      const env = {
        HOME: join(parent, 'nobody-home'),
        TMPDIR: join(base, 'tmp'),
        npm_config_cache: join(base, 'npm'),
        LANG: 'tr_TR.UTF-8',
        LC_ALL: 'tr_TR.UTF-8',
        TZ: 'America/St_Johns',
        NO_COLOR: '1',
      }
      const unset = ['CI', 'FORCE_COLOR', 'TERM', 'USER', 'LOGNAME', 'SHELL']
      const afterwards = () => chmodSync(parent, 0o555)
      return { checkout, env, unset, umask: 0o000, user: UNKNOWN_USER, afterwards }
    },
  },
  both: {
    about: ['as "private", for the user of "stranger"; where they contradict each other, as "stranger"'],
    lay(base) {
      const [inner, outer] = [places.private.lay(base), places.stranger.lay(base)]
      const parent = dirname(inner.checkout)
      const tmp = join(base, 'tmp of bøth')
      symlinkSync(inner.env.TMPDIR, tmp)
      const { HOME, ...others } = outer.env
      const env = {
        ...inner.env,
        ...others,
        TMPDIR: tmp,
        HOME: join(parent, 'nöbody home'),
        GIT_CONFIG_GLOBAL: join(inner.env.HOME, '.gitconfig'),
      }
      const afterwards = () => chmodSync(parent, 0o555)
      return { ...inner, ...outer, checkout: inner.checkout, env, unset: [...inner.unset, ...outer.unset], afterwards }
    },
  },
}

function oddGitConfig(hooks) {
  return [
    '[init]\n\tdefaultBranch = trünk/main',
    '[commit]\n\tgpgsign = true',
    '[gpg]\n\tprogram = false',
    '[core]\n\tautocrlf = true',
    `\thooksPath = ${hooks}`,
    '[status]\n\tshort = true',
    '[color]\n\tui = always\n',
  ].join('\n')
}

/** What is set inside a session of an agent, or by people who use one. All made up. */
function agentVariables(home) {
  return {
    ANTHROPIC_API_KEY: 'made-up-anthropic',
    OPENAI_API_KEY: 'made-up-openai',
    GEMINI_API_KEY: 'made-up-gemini',
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CONFIG_DIR: join(home, 'claude elsewhere'),
    CODEX_HOME: join(home, 'codex elsewhere'),
    GEMINI_CLI: '1',
    AGENT_MUX_RUN_ID: '01J0000000000000000000MADE',
    AMUX_SESSION_ID: '01J0000000000000000000MADE',
    AMUX_LAUNCH: '1',
  }
}
