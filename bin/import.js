// `import()` for the files of dist/programs: V8 does not know whom to ask for a module when it runs code that was compiled in
// another process (Node 20), so this stays outside of what is kept.
module.exports = (name) => import(name)
