# Puts the page together: SITE gets the program, what it reads (an archive, as it lies in SOURCE), and the page
# around them.
set(MODELS translate-en-pt translate-pt-en copy sentiment)
set(FONTS
  opentype/inter/Inter-Regular.otf opentype/inter/Inter-SemiBold.otf opentype/inter/InterDisplay-SemiBold.otf
  truetype/jetbrains-mono/JetBrainsMono-Regular.ttf truetype/dejavu/DejaVuSans.ttf
  truetype/dejavu/DejaVuSerifCondensed.ttf truetype/dejavu/DejaVuSerifCondensed-Bold.ttf
  truetype/dejavu/DejaVuSerifCondensed-Italic.ttf)

# What comes once the first picture stands.
set(MODELS_LATER gloss next-word reverse everyday-en-pt everyday-pt-en everyday-gloss
    everyday-next-word everyday-sentiment)

file(REMOVE_RECURSE ${PACK} ${SITE})
file(MAKE_DIRECTORY ${PACK}/assets/models ${PACK}/fonts ${SITE})
foreach(folder classroom grammars lessons strings)
  file(COPY ${SOURCE}/assets/${folder} DESTINATION ${PACK}/assets)
endforeach()
# A model, and what PyTorch computed with it, which About compares.
function(take model where)
  file(COPY ${SOURCE}/assets/models/${model} DESTINATION ${where}/assets/models)
  set(reference ${SOURCE}/assets/reference/${model}.safetensors)
  if(EXISTS ${reference})
    file(COPY ${reference} DESTINATION ${where}/assets/reference)
  endif()
endfunction()
foreach(model ${MODELS})
  take(${model} ${PACK})
endforeach()
foreach(model ${MODELS_LATER})
  take(${model} ${PACK}/later)
endforeach()
file(COPY ${SOURCE}/assets/lexicon DESTINATION ${PACK}/later/assets)
file(COPY ${SOURCE}/assets/races DESTINATION ${PACK}/later/assets PATTERN *.jsonl EXCLUDE)
file(GLOB races ${SOURCE}/assets/races/*.jsonl)
file(COPY ${races} DESTINATION ${PACK}/assets/races)
foreach(font ${FONTS})
  set(there /usr/share/fonts/${font})
  if(EXISTS ${there}) # a face that is missing is written in another
    file(COPY ${there} DESTINATION ${PACK}/fonts FOLLOW_SYMLINK_CHAIN)
  else()
    message(STATUS "No ${there}: the page does without")
  endif()
endforeach()

function(pack from to)
  execute_process(COMMAND ${GZIP} -9 -n -c ${from} OUTPUT_FILE ${SITE}/${to}.gz COMMAND_ERROR_IS_FATAL ANY)
endfunction()
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ${PACK}/assets.tar --format=gnutar assets fonts
  WORKING_DIRECTORY ${PACK} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ${PACK}/later.tar --format=gnutar assets
  WORKING_DIRECTORY ${PACK}/later COMMAND_ERROR_IS_FATAL ANY)
pack(${PACK}/assets.tar assets.tar)
pack(${PACK}/later.tar later.tar)
pack(${PROGRAM}/headlight.wasm headlight.wasm)
file(COPY ${PROGRAM}/headlight.js DESTINATION ${SITE})
if(WITH_THREADS)
  pack(${WITH_THREADS}.wasm headlight-threads.wasm)
  file(COPY ${WITH_THREADS}.js ${WITH_THREADS}.worker.js DESTINATION ${SITE})
endif()
file(COPY_FILE ${SOURCE}/package/headlight.svg ${SITE}/icon.svg)
get_filename_component(here ${CMAKE_CURRENT_LIST_FILE} DIRECTORY)
foreach(part index.html page.css page.js input.js touch.js files.js link.js)
  file(COPY ${here}/${part} DESTINATION ${SITE})
endforeach()

file(GLOB parts ${SITE}/*)
set(all 0)
foreach(part ${parts})
  file(SIZE ${part} bytes)
  get_filename_component(name ${part} NAME)
  if(NOT name MATCHES "^later|threads") # a page fetches the program without threads or with them
    math(EXPR all "${all} + ${bytes}")
  endif()
  message(STATUS "${name}: ${bytes} bytes")
endforeach()
message(STATUS "Until the first picture: ${all} bytes")
